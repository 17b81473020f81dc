// The page on which the table is drawn: taps on the live picture, or numbers, say where corners and zones lie.

import { askDesk, LATE_MS } from "../ask.js";
import { byId, el, fill, readJson, say, strings, svg } from "../dom.js";
import { clockwise, planeOf } from "./plane.js";

const EVERY_MS = 1000;
const CORNERS = "corners";
const names = readJson("names");
const overlay = byId("overlay");
const picture = byId("picture");
let table = readJson("table");
let corners = table.corners;
let chosen = table.drawn || !corners ? { name: CORNERS, seat: 0 } : { name: "field", seat: 0 };
let taps = [];
let news = null; // what was kept or taken back stays readable until the next tap

const size = () => [Number(byId("width").value), Number(byId("height").value)];
const rect = () => table.zones[chosen.name][chosen.seat];
const label = () => (chosen.name === CORNERS ? strings.corners : names[chosen.name][chosen.seat]);
const plane = () => (corners?.length === 4 ? planeOf(corners, size()) : null);

function sentence() {
  if (news) return news;
  if (chosen.name === CORNERS) {
    if (byId("markers").checked) return corners ? strings.seen : strings.unseen;
    return fill(strings.tapCorners, { n: taps.length || (corners ? 4 : 0) });
  }
  return fill(taps.length ? strings.tapOther : strings.tapZone, { zone: label() });
}

// --- the picture with what is drawn over it ------------------------------------------------------------------
function shape(points, className, text) {
  const [width, height] = [overlay.clientWidth, overlay.clientHeight];
  const at = points.map(([x, y]) => [x * width, y * height]);
  const [x, y] = [0, 1].map((axis) => at.reduce((sum, point) => sum + point[axis], 0) / at.length);
  return [svg("polygon", { points: at.map((point) => point.join(",")).join(" "), class: className }),
    ...(text ? [svg("text", { x, y, class: className }, text)] : [])];
}

function drawOverlay() {
  const shapes = [];
  const view = plane();
  if (view) {
    shapes.push(...shape(corners, chosen.name === CORNERS ? "outline chosen" : "outline", ""));
    for (const [name, rects] of Object.entries(table.zones)) {
      rects.forEach(([left, top, right, bottom], seat) => {
        const around = [[left, top], [right, top], [right, bottom], [left, bottom]].map(view.toPicture);
        const own = name === chosen.name && seat === chosen.seat;
        shapes.push(...shape(around, own ? "zone chosen" : "zone", names[name][seat]));
      });
    }
  }
  const [width, height] = [overlay.clientWidth, overlay.clientHeight];
  shapes.push(...taps.map(([x, y]) => svg("circle", { cx: x * width, cy: y * height, r: 7, class: "tap" })));
  overlay.replaceChildren(...shapes);
}

function tap(event) {
  const box = overlay.getBoundingClientRect();
  const at = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  news = null;
  if (chosen.name === CORNERS) {
    if (byId("markers").checked) return;
    taps.push(at);
    if (taps.length === 4) {
      corners = clockwise(taps);
      taps = [];
    }
  } else if (plane()) {
    taps.push(at);
    if (taps.length === 2) {
      const [[x, y], [u, v]] = taps.map(plane().toTable).map((point) => point.map(Math.round));
      table.zones[chosen.name][chosen.seat] = [Math.min(x, u), Math.min(y, v), Math.max(x, u), Math.max(y, v)];
      taps = [];
    }
  }
  draw();
}

// --- the form ------------------------------------------------------------------------------------------------
function choice(name, seat, text) {
  const pick = () => { chosen = { name, seat }; taps = []; news = null; draw(); };
  const own = chosen.name === name && chosen.seat === seat;
  return el("label", { class: "pick" }, el("input", { type: "radio", name: "thing", checked: own, onchange: pick }), ` ${text}`);
}

function number(text, value, step, onNumber) {
  const changed = (event) => { if (event.target.value !== "") { onNumber(Number(event.target.value)); news = null; drawOverlay(); } };
  return el("label", {}, `${text} `, el("input", { type: "number", step, value, oninput: changed }));
}

function drawForm() {
  say(byId("numbers-of"), chosen.name === CORNERS ? fill(strings.percent, { name: label() }) : `${label()} (mm)`);
  const sides = [strings.left, strings.top, strings.right, strings.bottom];
  if (chosen.name !== CORNERS) {
    byId("numbers").replaceChildren(...sides.map((side, i) => number(side, rect()[i], 1, (value) => { rect()[i] = value; })));
  } else if (byId("markers").checked) {
    byId("numbers").replaceChildren();
  } else {
    corners ??= [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]];
    byId("numbers").replaceChildren(...corners.flatMap((corner, i) => ["x", "y"].map((axis, k) =>
      number(`${i + 1} ${axis}`, (corner[k] * 100).toFixed(1), 0.1, (value) => { corner[k] = value / 100; }))));
  }
  byId("numbers").closest("fieldset").hidden = !byId("numbers").children.length;
}

function draw() {
  say(byId("sentence"), sentence());
  drawForm();
  drawOverlay();
}

async function send(body, done) {
  const answer = await askDesk("/koikoi/table", body, strings.gone, LATE_MS);
  if (!answer.error) take(answer, done);
  say(byId("refusal"), answer.error);
}

function take(shown, text) {
  table = shown;
  corners = shown.corners;
  taps = [];
  news = text;
  byId("markers").checked = !shown.drawn;
  [byId("width").value, byId("height").value] = shown.size;
  byId("forget").disabled = !shown.stored;
  draw();
}

/** A new picture every second, and where the markers show the table now. */
async function follow() {
  if (document.hidden) return;
  picture.src = `/koikoi/table.jpg?${Date.now()}`;
  if (!byId("markers").checked) return;
  try {
    corners = (await (await fetch("/koikoi/table.json")).json()).corners;
    say(byId("sentence"), sentence());
    drawOverlay();
  } catch {
    // the next one may come through
  }
}

overlay.addEventListener("pointerdown", tap);
picture.addEventListener("load", drawOverlay);
window.addEventListener("resize", drawOverlay);
byId("markers").addEventListener("change", () => { taps = []; news = null; draw(); });
for (const id of ["width", "height"]) byId(id).addEventListener("input", drawOverlay);
byId("forget").addEventListener("click", () => send({ name: "forget" }, strings.forgotten));
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const drawn = byId("markers").checked ? null : corners;
  send({ name: "draw", size: size(), zones: table.zones, corners: drawn }, strings.kept);
});
byId("choices").append(choice(CORNERS, 0, strings.corners),
  ...Object.entries(names).flatMap(([name, texts]) => texts.map((text, seat) => choice(name, seat, text))));
take(table, null);
setInterval(follow, EVERY_MS);
