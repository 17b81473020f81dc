// The time to memorise on any device: it counts down, says when two minutes are left, and when it is over.

import { byId, say, strings } from "../dom.js";
import { remember, remembered, startLook } from "../look.js";

const TWO_MINUTES_MS = 120_000;
const voices = Object.fromEntries(["two_minutes", "time"].map((name) => [name, new Audio(`/memorise/${name}.wav`)]));
const minutes = document.querySelector("[name=minutes]");
let endsMs = Number(remembered("memorise")) || 0; // on this device's clock: the page may be loaded anew
let noticed = endsMs - Date.now() <= TWO_MINUTES_MS;

function announce(name) {
  say(byId("notice"), strings[name]);
  voices[name].play().catch(() => {}); // a page that was loaded anew is silent until somebody taps it
}

/** Play a moment of silence: only what a tap has started may sound later. */
function allow(voice) {
  voice.muted = true;
  voice.play().then(() => { voice.pause(); voice.currentTime = 0; voice.muted = false; }).catch(() => { voice.muted = false; });
}

function show(leftMs) {
  const left = Math.ceil(Math.max(0, leftMs) / 1000);
  byId("left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  for (const id of ["begin", "length"]) byId(id).hidden = endsMs > 0;
  byId("stop").hidden = endsMs === 0;
}

function set(ends) {
  endsMs = ends;
  remember("memorise", ends ? String(ends) : null);
}

function tick() {
  if (!endsMs) return;
  const left = endsMs - Date.now();
  if (left <= 0) {
    set(0);
    announce("time");
  } else if (left <= TWO_MINUTES_MS && !noticed) {
    noticed = true;
    announce("two_minutes");
  }
  show(left);
}

byId("begin").addEventListener("click", () => {
  if (!minutes.reportValidity()) return;
  for (const voice of Object.values(voices)) allow(voice);
  set(Date.now() + 60_000 * minutes.valueAsNumber);
  noticed = minutes.valueAsNumber <= 2;
  say(byId("notice"), "");
  navigator.wakeLock?.request("screen").catch(() => {});
  tick();
});
byId("stop").addEventListener("click", () => { set(0); say(byId("notice"), ""); show(60_000 * minutes.valueAsNumber); });
minutes.addEventListener("input", () => show(60_000 * (minutes.valueAsNumber || 0)));

startLook();
show(endsMs ? endsMs - Date.now() : 60_000 * minutes.valueAsNumber);
setInterval(tick, 200);
