// Quiet sounds beside a table: off until somebody switches them on, and remembered in this browser.

import { byId } from "../dom.js";
import { remember, remembered } from "../look.js";

/** Notes of each sound: hertz, and seconds after its beginning. */
const NOTES = {
  take: [[523, 0]],
  decide: [[659, 0], [880, 0.16]],
  flag: [[220, 0], [196, 0.2]],
  end: [[523, 0], [659, 0.16], [784, 0.32]],
};
const LOUDNESS = 0.06;
const LENGTH_S = 0.35;
let context = null;

const isOn = () => byId("sounds").getAttribute("aria-pressed") === "true";

function set(on) {
  byId("sounds").setAttribute("aria-pressed", String(on));
  if (on) context ??= new AudioContext();
}

/** Play a sound by its name, where sounds are on. */
export function play(name) {
  if (!isOn() || !context) return;
  for (const [hertz, after] of NOTES[name]) {
    const at = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "sine", frequency: hertz });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + LENGTH_S);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + LENGTH_S);
  }
}

/** Let the button switch sounds; a browser that had them on before waits for a first touch, as browsers want. */
export function startSounds() {
  byId("sounds").addEventListener("click", () => {
    const on = !isOn();
    set(on);
    remember("sounds", on ? "on" : null);
    if (on) play("take");
  });
  if (remembered("sounds") === "on") document.addEventListener("pointerdown", () => set(true), { once: true });
}
