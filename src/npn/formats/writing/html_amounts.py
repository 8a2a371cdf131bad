"""Amounts in a page, marked so that a few lines of script can scale them."""

from __future__ import annotations

from dataclasses import replace

from npn.formats.writing.svg_text import attribute, markup
from npn.language.amount_text import format_amount, is_decimal
from npn.language.units import plural
from npn.recipe import Amount

# `data-q` and `data-m` are the quantity and the other end of its range, `data-u` the unit for one
# and for many, `data-d` says that the unit is written with decimals.
SCRIPT = """
(() => {
  const parts = [[1/8, '1/8'], [1/4, '1/4'], [1/3, '1/3'], [3/8, '3/8'], [1/2, '1/2'],
    [5/8, '5/8'], [2/3, '2/3'], [3/4, '3/4'], [7/8, '7/8']];
  const number = (n, decimal) => {
    const whole = Math.floor(n), near = v => Math.abs(v - n) <= 0.01 * n;
    if (Math.round(n) && near(Math.round(n))) return String(Math.round(n));
    const part = decimal ? null : parts.find(p => near(whole + p[0]));
    if (part) return whole ? whole + ' ' + part[1] : part[1];
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
"""


def amount_markup(amount: Amount | None) -> str:
    """An amount for people, as HTML; empty where nothing is known."""
    if amount is None:
        return ""
    text = _one(amount)
    if text and amount.package is not None and amount.quantity is not None:
        whole = format_amount(replace(amount, plus=None))
        size = whole[len(format_amount(replace(amount, plus=None, package=None))) :]
        text += f" {markup(size)}"
    plus = amount_markup(amount.plus)
    return f"{text} plus {plus}" if text and plus else text or plus


def _one(amount: Amount) -> str:
    bare = replace(amount, package=None, plus=None)
    text = markup(format_amount(bare))
    if amount.quantity is None or not text:
        return text
    data = f' data-q="{amount.quantity:.10g}"'
    if amount.most is not None:
        data += f' data-m="{amount.most:.10g}"'
    if amount.unit:
        data += f" data-u={attribute(f'{amount.unit}|{plural(amount.unit)}')}"
        data += ' data-d="1"' if is_decimal(amount.unit) else ""
    return f"<b{data}>{text}</b>"
