// Things that have moved are seen to move: each [data-key] glides from where it was.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const MILLISECONDS = 260;
const MOST = 60; // of more, nobody can follow any

export function places(root) {
  const found = new Map();
  if (calm.matches || !root) return found;
  for (const node of root.querySelectorAll("[data-key]")) {
    if (found.size >= MOST) break;
    found.set(node.dataset.key, node.getBoundingClientRect());
  }
  return found;
}

export function glide(root, before) {
  if (calm.matches || !before.size) return;
  const moves = [];
  for (const node of root.querySelectorAll("[data-key]")) {
    const old = before.get(node.dataset.key) || before.get(node.dataset.from);
    if (!old) continue;
    const now = node.getBoundingClientRect();
    const [x, y] = [old.left - now.left, old.top - now.top];
    if (Math.abs(x) + Math.abs(y) > 2) moves.push([node, x, y]);
  }
  for (const [node, x, y] of moves) {
    node.animate(
      [{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
      { duration: MILLISECONDS, easing: "ease-out" },
    );
  }
}
