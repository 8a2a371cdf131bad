(() => {
  const parts = [[1/8, '1/8'], [1/4, '1/4'], [1/3, '1/3'], [3/8, '3/8'], [1/2, '1/2'],
    [5/8, '5/8'], [2/3, '2/3'], [3/4, '3/4'], [7/8, '7/8']];
  const number = (n, decimal) => {
    const whole = Math.floor(n), round = Math.round(n), far = p => Math.abs(p[0] - n);
    const all = decimal ? [] : parts.map(([v, part]) =>
      [whole + v, whole ? whole + '\u00a0' + part : part]);
    if (round) all.unshift([round, String(round)]);
    const best = all.sort((a, b) => far(a) - far(b))[0];
    if (best && far(best) <= 0.01 * n) return best[1];
    return String(n >= 1 ? +n.toFixed(2) : +n.toPrecision(2));
  };
  const scale = times => {
    for (const one of document.querySelectorAll('[data-q]')) {
      const d = one.dataset, q = d.q * times, m = d.m && d.m * times;
      const units = (d.u || '|').split('|'), unit = units[(m || q) > 1.005 ? 1 : 0];
      one.textContent = number(q, d.d) + (m ? ' to ' + number(m, d.d) : '') +
        (unit && ' ' + unit);
    }
    for (const one of document.querySelectorAll('.now')) one.hidden = times == 1;
    for (const one of document.querySelectorAll('[data-times]'))
      one.setAttribute('aria-pressed', one.dataset.times == times);
  };
  for (const one of document.querySelectorAll('[data-times]'))
    one.addEventListener('click', () => scale(+one.dataset.times));
  document.querySelector('.scale').hidden = false;
})();
