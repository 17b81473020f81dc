// The replay of a ruling's evidence: every frame at the instant it was taken, however uneven the camera was.

import { base, byId, el, fill, reducedMotion, say, setIcon, strings } from "./dom.js";
import { drawComparison } from "./compare.js";
import { Frames } from "./frames.js";
import { Measure } from "./measure.js";
import { ReplaySound } from "./replay_sound.js";
import { after, Ruler } from "./ruler.js";

const NS_PER_MS = 1e6;
const LEAD_NS = 150 * NS_PER_MS;
const TAIL_NS = 250 * NS_PER_MS;
const ZOOMS = [1, 2, 4];
const MARK_SHOWN_NS = 400 * NS_PER_MS;

const contactKey = (touch) => `${touch.t_ns} ${touch.card} ${touch.player}`;

/** Ring a contact in its player's shape and colour; `width` is the picture's. */
function paintContact(pen, touch, width) {
  const colours = getComputedStyle(document.documentElement);
  pen.strokeStyle = colours.getPropertyValue(`--${touch.player ?? "unknown"}-bright`);
  pen.lineWidth = 0.0035 * width;
  const [x, y] = touch.at_px;
  const radius = 0.028 * width;
  pen.beginPath();
  if (touch.player === "far") {
    pen.moveTo(x, y - radius * 1.25);
    pen.lineTo(x + radius * 1.25, y);
    pen.lineTo(x, y + radius * 1.25);
    pen.lineTo(x - radius * 1.25, y);
    pen.closePath();
  } else {
    pen.arc(x, y, radius, 0, 2 * Math.PI);
  }
  pen.stroke();
}

export class Replay {
  constructor() {
    this.canvas = byId("screen");
    this.ruler = new Ruler((t_ns) => { this.stop(); this.goTo(this.frames.at(t_ns)); });
    this.shown = null;
    this.zoom = 1;
    this.measure = new Measure(this);
    this.sound = new ReplaySound();
    const press = (id, action) => byId(id).addEventListener("click", action);
    press("play", () => this.toggle());
    press("step-back", () => this.step(-1));
    press("step-on", () => this.step(1));
    press("touch-back", () => this.stepTouch(-1));
    press("touch-on", () => this.stepTouch(1));
    press("zoom", () => this.toggleZoom());
    // the keys belong to the match again once a speed is chosen
    byId("speed").addEventListener("change", () => byId("speed").blur());
  }

  /** Show the evidence of a ruled poem, or hide the replay where there is none. */
  show(poem) {
    // an overruling has a number of its own, but the pictures stay the same
    const shown = poem?.evidence ? `${poem.order} ${poem.poem}` : null;
    if (shown === this.shown) return;
    this.close();
    this.shown = shown;
    byId("replay-deleted").hidden = true;
    byId("replay").hidden = true; // until there is something to show
    if (shown !== null) this.open(poem, shown).catch(() => { this.shown = null; });
  }

  close() {
    this.stop();
    this.frames?.close();
    this.frames = this.marks = null;
    this.sound.close();
    this.measure.clear();
    delete this.canvas.dataset.index;
  }

  async open(poem, shown) {
    const folder = `${base}/evidence/${poem.seq}`;
    const response = await fetch(`${folder}/manifest.json`);
    const manifest = response.ok ? await response.json() : { frames: [] };
    if (shown !== this.shown) return; // another ruling came meanwhile
    byId("replay-deleted").hidden = response.status !== 410;
    if (manifest.frames.length === 0) return;
    byId("replay").hidden = false;
    this.marks = manifest.marks;
    this.frames = new Frames(folder, manifest.frames);
    this.sound.open(folder, manifest.sound);
    byId("bundle").href = `${folder}.zip`;
    byId("film").href = `${folder}.mp4?lang=${document.documentElement.lang}`;
    const free = new Set(poem.touches.filter((touch) => touch.free).map(contactKey));
    this.painted = this.marks.touches.filter((touch) => touch.at_px && !touch.unprovable && !free.has(contactKey(touch)));
    this.listTouches(poem.touches);
    this.ruler.draw(this.frames.list, this.marks);
    const instants = this.instants();
    const start = this.frames.at((instants[0] ?? this.frames.list[0].t_ns) - LEAD_NS);
    this.frames.fetchFrom(start);
    await this.goTo(start);
    if (shown !== this.shown) return;
    const paint = (pen, touch) => paintContact(pen, touch, this.canvas.width);
    await drawComparison(this.frames, this.marks, paint); // playing gives up pictures it may still wait for
    if (shown !== this.shown || this.playing || this.number !== start) return; // somebody looks at it already
    if (instants.length && !reducedMotion()) this.play(instants.at(-1) + TAIL_NS);
  }

  /** List the contacts; those that change nothing (cards brushed in the target's territory) stay folded. */
  listTouches(touches) {
    const free = touches.filter((touch) => touch.free);
    byId("touches").replaceChildren(...touches.filter((touch) => !touch.free).map((touch) => this.touchButton(touch)));
    byId("free").hidden = free.length === 0;
    byId("free").querySelector("summary").textContent = fill(strings.free, { n: free.length });
    byId("free").querySelector("ol").replaceChildren(...free.map((touch) => this.touchButton(touch)));
  }

  touchButton(touch) {
    const time = `${touch.t_ms} ± ${touch.unc_ms} ms`;
    return el("li", {}, el(
      "button",
      {
        class: `${touch.player ?? "unknown"}${touch.proven ? "" : " unproven"}`,
        onclick: () => { this.stop(); this.goTo(this.frames.at(touch.t_ns)); },
      },
      el("span", {}, touch.text), el("span", { class: "time" }, time)));
  }

  instants() {
    return this.marks.touches.filter((touch) => !touch.unprovable).map((touch) => touch.t_ns).sort((a, b) => a - b);
  }

  async goTo(number) {
    if (!this.frames) return;
    this.number = number;
    const frame = this.frames.list[number];
    this.ruler.moveTo(number, frame, this.frames.list.length);
    const t = ((frame.t_ns - this.marks.t_poem_ns) / NS_PER_MS).toFixed(1);
    say(byId("instant"), fill(after(this.marks), { t }));
    say(byId("frame"), fill(strings.frame, { n: number + 1, all: this.frames.list.length }));
    const { frames } = this;
    const picture = await frames.picture(number).catch(() => null);
    // meanwhile another frame may be wanted, or another ruling's bundle be open
    if (picture && !frames.closed && number === this.number) this.paint(picture, frame);
  }

  paint(picture, frame) {
    const { canvas } = this;
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width;
      canvas.height = picture.height;
    }
    const pen = canvas.getContext("2d");
    const centre = this.painted[0]?.at_px ?? [canvas.width / 2, canvas.height / 2];
    const clamp = (at, size) => Math.min(Math.max(at - size / this.zoom / 2, 0), size - size / this.zoom);
    pen.setTransform(this.zoom, 0, 0, this.zoom,
      -clamp(centre[0], canvas.width) * this.zoom, -clamp(centre[1], canvas.height) * this.zoom);
    pen.drawImage(picture, 0, 0);
    for (const touch of this.painted) this.paintTouch(pen, touch, frame);
    this.measure.paint(pen, canvas.width);
    canvas.dataset.index = frame.index;
  }

  paintTouch(pen, touch, frame) {
    const age_ns = frame.t_ns - (touch.t_ns - touch.t_unc_ns);
    if (age_ns < 0 || age_ns > MARK_SHOWN_NS) return;
    pen.setLineDash(frame.t_ns < touch.t_ns ? [8, 6] : []); // dashed while the contact is not certain yet
    paintContact(pen, touch, this.canvas.width);
    pen.setLineDash([]);
  }

  step(by) {
    if (!this.frames) return;
    this.stop();
    this.goTo(Math.min(Math.max(this.number + by, 0), this.frames.list.length - 1));
  }

  stepTouch(by) {
    if (!this.frames) return;
    this.stop();
    const numbers = this.instants().map((t_ns) => this.frames.at(t_ns));
    const next = by > 0 ? numbers.find((number) => number > this.number)
      : numbers.findLast((number) => number < this.number);
    if (next !== undefined) this.goTo(next);
  }

  toggle() {
    if (!this.frames) return;
    if (this.playing) this.stop();
    else this.play(this.frames.list.at(-1).t_ns);
  }

  /** Play in slow motion up to `until_ns`; from the start again where the end is reached. */
  play(until_ns) {
    if (this.frames.list[this.number].t_ns >= until_ns || this.number === this.frames.list.length - 1) this.number = 0;
    let shown_ns = this.frames.list[this.number].t_ns;
    let before_ms = performance.now();
    let waiting = false; // a slow browser shows each frame it asked for before it asks again, not the last alone
    const advance = (now_ms) => {
      const speed = Number(byId("speed").value);
      const passed_ns = Math.max(now_ms - before_ms, 0) * NS_PER_MS * speed;
      shown_ns = Math.min(shown_ns + passed_ns, until_ns); // a browser that stalls does not run over the end
      before_ms = now_ms;
      const number = this.frames.at(shown_ns);
      const over = shown_ns >= until_ns || number === this.frames.list.length - 1;
      if (number !== this.number && (over || !waiting)) {
        waiting = true;
        this.goTo(number).then(() => { waiting = false; });
      }
      if (over) this.stop();
      else {
        this.sound.follow(shown_ns, speed);
        this.playing = requestAnimationFrame(advance);
      }
    };
    this.playing = requestAnimationFrame(advance);
    this.drawPlay();
  }

  stop() {
    cancelAnimationFrame(this.playing);
    this.sound.stop();
    this.playing = null;
    this.drawPlay();
  }

  drawPlay() {
    const button = byId("play");
    const playing = Boolean(this.playing);
    setIcon(button, playing ? "stop" : "play");
    button.setAttribute("aria-pressed", String(playing));
    button.querySelector(".sr").textContent = playing ? strings.stop : strings.play;
  }

  toggleZoom() {
    this.zoom = ZOOMS[(ZOOMS.indexOf(this.zoom) + 1) % ZOOMS.length];
    byId("zoom").setAttribute("aria-pressed", String(this.zoom > 1));
    if (this.frames) this.goTo(this.number);
  }
}
