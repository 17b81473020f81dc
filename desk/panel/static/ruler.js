// The time ruler under the replay: contacts with their uncertainty, the kimariji, and where the replay is.

import { byId, fill, strings, svg } from "./dom.js";

const NS_PER_MS = 1e6;
const HEIGHT = 84;
const LANES = { far: 22, near: 50, unknown: 36 };
const AXIS_Y = 66;
const TICKS_MS = [5, 10, 20, 50, 100, 200, 500, 1000];
const TICK_ROOM = 70; // pixels that a tick's number needs

/** What a bundle's instants are counted from: the first sound of a poem, or a step of a card table. */
export const after = (marks) => (strings[marks.counted] ?? strings.after);

export class Ruler {
  /** @param {(t_ns: number) => void} seek is told where somebody points. */
  constructor(seek) {
    this.element = byId("ruler");
    this.seek = seek;
    const point = (event) => {
      if (!this.span || !(event.buttons & 1)) return;
      const box = this.element.getBoundingClientRect();
      this.seek(this.span.from + ((event.clientX - box.left) / box.width) * (this.span.to - this.span.from));
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      point(event);
    });
    this.element.addEventListener("pointermove", point);
    new ResizeObserver(() => this.layOut()).observe(this.element);
  }

  /** Draw the marks of a bundle. */
  draw(frames, marks) {
    this.frames = frames;
    this.marks = marks;
    this.zero = marks.t_poem_ns;
    this.span = { from: frames[0].t_ns, to: Math.max(frames.at(-1).t_ns, frames[0].t_ns + 1) };
    this.at_ns = frames[0].t_ns;
    this.element.setAttribute("aria-valuemin", "1");
    this.element.setAttribute("aria-valuemax", String(frames.length));
    this.layOut();
  }

  layOut() {
    this.width = this.element.clientWidth;
    if (!this.frames || !this.width) return;
    const { marks } = this;
    const kimariji_ns = marks.t_kimariji_ns;
    const isShown = kimariji_ns !== null && kimariji_ns >= this.span.from && kimariji_ns <= this.span.to;
    this.cursor = svg("path", { class: "cursor", d: `M0 0V${HEIGHT}` });
    this.element.replaceChildren(
      svg(
        "svg",
        { viewBox: `0 0 ${this.width} ${HEIGHT}`, "aria-hidden": "true" },
        ...this.ticks(),
        ...(isShown ? [this.kimariji(kimariji_ns)] : []),
        ...marks.touches.map((touch) => this.touch(touch, marks.poem)),
        this.cursor,
      ),
    );
    this.placeCursor();
  }

  placeCursor() {
    this.cursor?.setAttribute("transform", `translate(${this.x(this.at_ns)} 0)`);
  }

  x(t_ns) {
    return ((t_ns - this.span.from) / (this.span.to - this.span.from)) * this.width;
  }

  ticks() {
    const span_ms = (this.span.to - this.span.from) / NS_PER_MS;
    const step_ms = TICKS_MS.find((step) => (step / span_ms) * this.width >= TICK_ROOM) ?? 2000;
    const first_ms = Math.ceil((this.span.from - this.zero) / NS_PER_MS / step_ms) * step_ms;
    const ticks = [svg("path", { class: "axis", d: `M0 ${AXIS_Y}H${this.width}` })];
    for (let ms = first_ms; ms <= (this.span.to - this.zero) / NS_PER_MS; ms += step_ms) {
      const x = this.x(this.zero + ms * NS_PER_MS);
      ticks.push(svg("path", { class: "axis", d: `M${x} ${AXIS_Y}v5` }));
      ticks.push(svg("text", { class: "tick", x, y: HEIGHT - 1 }, String(ms)));
    }
    ticks.push(svg("text", { class: "unit", x: this.width - 3, y: AXIS_Y - 4 }, "ms"));
    return ticks;
  }

  kimariji(t_ns) {
    const x = this.x(t_ns);
    return svg("g", { class: "sound" },
      svg("path", { d: `M${x} 4V${AXIS_Y}` }),
      svg("text", { x: x + 4, y: 12 }, strings.kimariji));
  }

  touch(touch, poem) {
    const side = touch.player ?? "unknown";
    const y = LANES[side];
    const from = this.x(touch.t_ns - touch.t_unc_ns);
    const to = this.x(touch.t_ns + touch.t_unc_ns);
    const x = this.x(touch.t_ns);
    const shape = side === "far"
      ? svg("path", { d: `M${x} ${y - 9}L${x + 7} ${y}L${x} ${y + 9}L${x - 7} ${y}Z` })
      : svg("ellipse", { cx: x, cy: y, rx: 6, ry: 8 });
    const kind = [touch.card === poem ? "on-target" : "", touch.unprovable ? "unproven" : ""].join(" ");
    return svg("g", { class: `moment ${side} ${kind}` },
      svg("rect", { class: "unc", x: from, y: y - 10, width: Math.max(to - from, 2), height: 20 }), shape);
  }

  /** Move the cursor to a frame. */
  moveTo(number, frame, count) {
    this.at_ns = frame.t_ns;
    this.placeCursor();
    this.element.setAttribute("aria-valuenow", String(number + 1));
    const t = ((frame.t_ns - this.zero) / NS_PER_MS).toFixed(1);
    const text = `${fill(after(this.marks), { t })}, ${fill(strings.frame, { n: number + 1, all: count })}`;
    this.element.setAttribute("aria-valuetext", text);
  }
}
