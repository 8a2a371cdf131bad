// Timers that run on while one moves through the recipe, and a screen that stays awake.

import { button, byId, el } from "./dom.js";

const running = [];
let ticking = null;
let lock = null;

function clock(seconds) {
  const s = Math.max(0, Math.round(seconds));
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(s / 3600);
  const rest = `${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}

export function startTimer(seconds, words) {
  running.push({ ends: Date.now() + seconds * 1000, words, rung: false });
  ticking ||= setInterval(show, 500);
  show();
}

function show() {
  const box = byId("timers");
  box.hidden = !running.length;
  if (!running.length) {
    clearInterval(ticking);
    ticking = null;
  }
  const rows = running.map((timer, n) => {
    const left = (timer.ends - Date.now()) / 1000;
    if (left <= 0 && !timer.rung) {
      timer.rung = true;
      ring(timer.words);
    }
    return el("div", { class: `timer${left <= 0 ? " over" : ""}` },
      el("span", { class: "clock" }, left <= 0 ? "done" : clock(left)),
      el("span", {}, timer.words),
      button("Stop", () => {
        running.splice(n, 1);
        show();
      }, { "aria-label": `Stop the timer ${timer.words}`, "data-timer": n }));
  });
  const focused = document.activeElement?.dataset?.timer;
  box.replaceChildren(...rows);
  if (focused !== undefined) box.querySelector(`[data-timer="${focused}"]`)?.focus();
}

function ring(words) {
  const message = byId("message");
  message.textContent = `Time is up: ${words}`;
  message.dataset.kind = "alarm";
  message.hidden = false;
  navigator.vibrate?.([300, 150, 300]);
  try {
    const sound = new AudioContext();
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    volume.gain.value = 0.2;
    tone.frequency.value = 880;
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 1.2);
  } catch { /* a page that was never touched may make no sound */ }
}

export async function stayAwake(on, tell) {
  if (!on) {
    await lock?.release();
    lock = null;
    return;
  }
  try {
    lock = await navigator.wakeLock.request("screen");
    tell("The screen stays on.");
  } catch {
    tell("This browser does not let the page keep the screen on.");
  }
}
