// A line drawn on a replay: how far apart two points are on the mat, and how much time lies between their frames.

import { byId, fill, say } from "./dom.js";

const NS_PER_MS = 1e6;

/** Where a point of the picture lies on the mat, in millimetres. */
function onMat([x, y], toMm) {
  const [u, v, w] = toMm.map((row) => row[0] * x + row[1] * y + row[2]);
  return [u / w, v / w];
}

export class Measure {
  /** @param {import("./replay.js").Replay} replay whose pictures are measured. */
  constructor(replay) {
    this.replay = replay;
    this.points = []; // two of them make a line: { at: [x, y] in the picture, t_ns }
    this.button = byId("measure");
    this.button.addEventListener("click", () => this.toggle());
    replay.canvas.addEventListener("pointerdown", (event) => this.tap(event));
  }

  get on() {
    return this.button.getAttribute("aria-pressed") === "true";
  }

  toggle() {
    this.button.setAttribute("aria-pressed", String(!this.on));
    this.points = [];
    this.tell();
  }

  clear() {
    this.points = [];
    this.tell();
  }

  tap(event) {
    const { replay } = this;
    if (!this.on || !replay.frames) return;
    replay.stop();
    const box = replay.canvas.getBoundingClientRect();
    const drawn = Math.min(box.width / replay.canvas.width, box.height / replay.canvas.height); // object-fit: contain
    const at = new DOMPoint(
      (event.clientX - box.left - (box.width - replay.canvas.width * drawn) / 2) / drawn,
      (event.clientY - box.top - (box.height - replay.canvas.height * drawn) / 2) / drawn,
    ).matrixTransform(replay.canvas.getContext("2d").getTransform().inverse());
    if (this.points.length === 2) this.points = [];
    this.points.push({ at: [at.x, at.y], t_ns: replay.frames.list[replay.number].t_ns });
    this.tell();
  }

  tell() {
    const told = byId("measured");
    const [from, to] = this.points;
    if (!to) {
      say(told, this.on ? told.dataset.hint : "");
    } else {
      const toMm = this.replay.marks.to_mm;
      const ms = Math.abs(to.t_ns - from.t_ns) / NS_PER_MS;
      const [a, b] = toMm ? [onMat(from.at, toMm), onMat(to.at, toMm)] : [];
      const mm = toMm && Math.hypot(a[0] - b[0], a[1] - b[1]);
      const text = !toMm ? told.dataset.time : ms ? told.dataset.speed : told.dataset.length;
      say(told, fill(text, { mm: mm?.toFixed(1), ms: ms.toFixed(1), speed: (mm / ms).toFixed(2) }));
    }
    if (this.replay.frames) this.replay.goTo(this.replay.number);
  }

  /** Draw the line over the picture that `pen` has just drawn. */
  paint(pen, width) {
    if (!this.points.length) return;
    pen.strokeStyle = pen.fillStyle = "#ffe14d";
    pen.lineWidth = 0.0025 * width;
    pen.beginPath();
    for (const { at: [x, y] } of this.points) pen.lineTo(x, y);
    pen.stroke();
    for (const { at: [x, y] } of this.points) {
      pen.beginPath();
      pen.arc(x, y, 0.005 * width, 0, 2 * Math.PI);
      pen.fill();
    }
  }
}
