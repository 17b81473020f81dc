// All mats at a glance: one tile for each, and what the reader waits for.

import { byId, changed, el, fill, readJson, refill, say, SHAPES, strings } from "../dom.js";
import { typed } from "../keys.js";
import { startLook, toggleDark, toggleProjector } from "../look.js";
import { openLine, send } from "./line.js";

const SIDES = ["far", "near"];
let view = readJson("view");

function seat(mat, side) {
  const wins = mat.winner === side;
  return el("p", { class: `seat-line ${side}${wins ? " won" : ""}` },
    el("span", { class: "shape", "aria-hidden": "true" }, SHAPES[side]),
    el("span", { class: "who" }, mat.names[side]),
    mat.counts ? el("b", {}, String(mat.counts[side])) : "");
}

function tile(mat) {
  const title = fill(strings.mat, { n: mat.number });
  const name = mat.address ? el("a", { href: mat.address }, title) : title;
  return el("li", {
    class: "mat-tile", "data-state": mat.state, "data-mat": mat.mat,
    "data-urgent": mat.urgent ? "" : null, "data-awaited": mat.awaited ? "" : null,
  },
  el("h3", {}, name, mat.title ? el("span", { class: "title" }, mat.title) : ""),
  el("p", { class: "state" }, mat.state_text),
  el("div", { class: "seats" }, ...SIDES.map((side) => seat(mat, side))),
  mat.last ? el("p", { class: `last ${mat.last.by ?? ""}`, "data-standing": mat.last.standing },
    el("b", { lang: "ja" }, mat.last.card), " ", mat.last.by ? `${SHAPES[mat.last.by]} ${mat.last.text}` : mat.last.text,
    mat.last.more ? el("span", { class: "more" }, ` ${mat.last.more}`) : "") : "",
  mat.doing ? el("p", { class: "doing" }, mat.doing) : "",
  mat.warnings.length ? el("ul", { class: "mat-warnings" }, ...mat.warnings.map((text) => el("li", {}, text))) : "");
}

/** Show the numbers of some mats, where there are any. */
const numbers = (id, list) => {
  byId(id).hidden = list.length === 0;
  byId(id).querySelector(".who").textContent = list.map((n) => fill(strings.mat, { n })).join(strings.comma);
};

function drawReading() {
  const { reading } = view;
  byId("reading").dataset.phase = reading?.phase ?? "none";
  say(byId("reading-phase"), reading?.phase_text ?? strings.none);
  for (const name of ["number", "latest", "ready", "left", "problem"]) say(byId(`reading-${name}`), reading?.[name]);
  numbers("waits", reading?.waits_for ?? []);
  numbers("hands", reading?.hands ?? []);
  numbers("lost", reading?.lost ?? []);
}

function draw() {
  say(byId("link"), view.link);
  say(byId("fault"), view.fault);
  if (changed("reading", view.reading)) drawReading();
  refill(byId("sums"), view.sums, (text) => el("li", {}, text));
  const list = byId("mats");
  byId("empty").hidden = view.mats.length > 0;
  list.dataset.many = view.mats.length > 60 ? "very" : view.mats.length > 24 ? "yes" : "no";
  // a projector shows all of them at once: tiles somewhat wider than high, as large as they can be
  const columns = Math.max(3, Math.ceil(Math.sqrt(view.mats.length * 1.4)));
  list.style.setProperty("--columns", columns);
  list.style.setProperty("--rows", Math.max(2, Math.ceil(view.mats.length / columns)));
  // a tile that did not change stays: who has the keyboard in it keeps it
  const known = new Map([...list.children].map((child) => [child.dataset.mat, child]));
  view.mats.forEach((mat, place) => {
    let shown = known.get(mat.mat);
    if (!shown || changed(`mat ${mat.mat}`, mat)) {
      const fresh = tile(mat);
      const hadFocus = shown?.contains(document.activeElement);
      if (shown) shown.replaceWith(fresh);
      if (hadFocus) fresh.querySelector("a")?.focus();
      shown = fresh;
    }
    if (list.children[place] !== shown) list.insertBefore(shown, list.children[place] ?? null);
    known.delete(mat.mat);
  });
  for (const gone of known.values()) gone.remove();
}

for (const button of document.querySelectorAll("[data-wish]")) {
  button.addEventListener("click", () => send("/api/reading", JSON.stringify({ wish: button.dataset.wish })));
}
document.addEventListener("keydown", typed((event) => {
  if (event.target.closest("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "f") toggleProjector();
  if (event.key === "d") toggleDark();
}));
startLook();
openLine("/api/floor/events", (latest) => { view = latest; draw(); });
draw();
