// The first sound of a reading in the film's waveform: moved with keys or by pointing, and judged when it is taken.

import { byId, fill, strings } from "../dom.js";
import { typed } from "../keys.js";

const SPAN_MS = 4000; // what is shown of the film around the first sound
const COLUMN_MS = 10;

/** Draw a stretch of the waveform, `wave` a byte each 10 ms, loud ones high. */
export function drawWave(canvas, wave, from_ms, to_ms, colour) {
  const width = canvas.clientWidth * devicePixelRatio;
  const height = canvas.clientHeight * devicePixelRatio;
  if (canvas.width !== Math.round(width)) canvas.width = Math.round(width);
  if (canvas.height !== Math.round(height)) canvas.height = Math.round(height);
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = colour;
  for (let x = 0; x < canvas.width; x++) {
    const at = (share) => Math.floor((from_ms + share * (to_ms - from_ms)) / COLUMN_MS);
    const first = at(x / canvas.width), last = Math.max(first, at((x + 1) / canvas.width) - 1);
    let loud = 0;
    for (let column = Math.max(0, first); column <= Math.min(last, wave.length - 1); column++) loud = Math.max(loud, wave[column]);
    const tall = Math.max(1, (loud / 255) * canvas.height);
    pen.fillRect(x, (canvas.height - tall) / 2, 1, tall);
  }
}

export class Onset {
  /** @param {(t_ms: number) => void} take is told the first sound that somebody wants. */
  constructor(take) {
    this.element = byId("onset");
    this.canvas = this.element.querySelector("canvas");
    this.field = byId("onset-s");
    this.wave = new Uint8Array();
    this.element.addEventListener("keydown", typed((event) => this.press(event, take)));
    const point = (event) => {
      if (!(event.buttons & 1) || !this.reading) return;
      const box = this.element.getBoundingClientRect();
      this.moveTo(this.from_ms + ((event.clientX - box.left) / box.width) * SPAN_MS);
    };
    this.element.addEventListener("pointerdown", (event) => { this.element.setPointerCapture(event.pointerId); point(event); });
    this.element.addEventListener("pointermove", point);
    this.field.addEventListener("input", () => { if (this.field.value !== "") this.moveTo(1000 * Number(this.field.value), true); });
    byId("onset-form").addEventListener("submit", (event) => { event.preventDefault(); this.send(take); });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(reading, length_ms) {
    if (this.reading?.number === reading.number && this.reading.t_ms === reading.t_ms) return;
    this.reading = reading;
    this.length_ms = length_ms;
    this.from_ms = Math.max(0, reading.t_ms - SPAN_MS / 2);
    this.element.setAttribute("aria-valuemin", "0");
    this.element.setAttribute("aria-valuemax", String(Math.round(length_ms)));
    this.moveTo(reading.t_ms);
  }

  moveTo(t_ms, typed = false) {
    this.t_ms = Math.min(Math.max(0, Math.round(t_ms / COLUMN_MS) * COLUMN_MS), this.length_ms);
    if (this.t_ms < this.from_ms || this.t_ms > this.from_ms + SPAN_MS) this.from_ms = Math.max(0, this.t_ms - SPAN_MS / 2);
    if (!typed) this.field.value = (this.t_ms / 1000).toFixed(2);
    byId("onset-set").disabled = Math.abs(this.t_ms - this.reading.t_ms) < COLUMN_MS;
    this.element.setAttribute("aria-valuenow", String(Math.round(this.t_ms)));
    this.element.setAttribute("aria-valuetext", fill(strings.at, { t: (this.t_ms / 1000).toFixed(2) }));
    this.draw();
  }

  press(event, take) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) this.moveTo(this.t_ms + step * (event.shiftKey ? 100 : 10));
    else if (event.key === "Enter") this.send(take);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  send(take) {
    if (this.reading && !byId("onset-set").disabled) take(this.t_ms);
  }

  draw() {
    if (!this.reading || !this.element.clientWidth) return;
    const colours = getComputedStyle(document.documentElement);
    drawWave(this.canvas, this.wave, this.from_ms, this.from_ms + SPAN_MS, colours.getPropertyValue("--soft"));
    const pen = this.canvas.getContext("2d");
    const x = (t_ms) => ((t_ms - this.from_ms) / SPAN_MS) * this.canvas.width;
    const { height } = this.canvas;
    const unc = this.reading.t_unc_ms;
    pen.fillStyle = colours.getPropertyValue("--moss");
    pen.globalAlpha = 0.2;
    pen.fillRect(x(this.reading.t_ms - unc), 0, x(this.reading.t_ms + unc) - x(this.reading.t_ms - unc), height);
    pen.globalAlpha = 1;
    pen.fillRect(x(this.t_ms) - devicePixelRatio, 0, 2 * devicePixelRatio, height);
  }
}
