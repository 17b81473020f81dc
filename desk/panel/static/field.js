// The field as the camera sees it: torifuda as SVG, in millimetres, the near player at the bottom.

import { byId, changed, readJson, strings, svg } from "./dom.js";
import { typed } from "./keys.js";

const CARD = { width: 52, height: 73 };
const PAPER = { x: -CARD.width / 2, y: -CARD.height / 2, ...CARD };
const TERRITORY = { width: 870, depth: 239, gap: 30 };
const GLYPH = { size: 13.6, column: 15.6, line: 13.2 };
const MAT = { x: -456, y: -268, width: 912, height: 536 };
const MARK_RADIUS = 11;

const faces = readJson("faces");
const root = byId("field");
const correctable = "correctable" in root.dataset; // where cards are named by people, each is a button
const cardLayer = svg("g", { role: correctable ? "group" : "list" });
const ghostLayer = svg("g", { "aria-hidden": "true" }); // the notices tell the same in words
const markLayer = svg("g", { "aria-hidden": "true" });
const shown = new Map(); // card -> element, so that a card that was sent glides to its new place

root.append(
  svg("defs", {}, weave()),
  svg("rect", { class: "mat", ...MAT }),
  svg("rect", { class: "mat-weave", ...MAT, fill: "url(#weave)" }),
  territory("far"),
  territory("near"),
  ghostLayer,
  cardLayer,
  markLayer,
);

function weave() {
  return svg(
    "pattern",
    { id: "weave", width: 14, height: 6, patternUnits: "userSpaceOnUse" },
    svg("path", { d: "M0 1.5h14M0 4.5h14", class: "rush" }),
    svg("path", { d: "M3.5 0v3M10.5 3v3", class: "rush" }),
  );
}

function territory(side) {
  const y = side === "near" ? TERRITORY.gap / 2 : -TERRITORY.gap / 2 - TERRITORY.depth;
  const box = { x: -TERRITORY.width / 2, y, width: TERRITORY.width, height: TERRITORY.depth };
  return svg("rect", { class: `territory ${side}`, rx: 2, ...box });
}

/** Draw the cards and, once the poem is ruled, the target and who touched what first. */
export function drawField(view) {
  if (changed("field", [view.field, view.astray])) drawCards(view);
  if (changed("missing", view.missing)) ghostLayer.replaceChildren(...view.missing.map(ghost));
  if (changed("marks", [view.marks, view.field.map(({ card }) => card)])) drawMarks(view.marks);
}

function drawCards(view) {
  const keep = new Set();
  let unread = 0;
  for (const [place, placed] of view.field.entries()) {
    const key = placed.card ?? `unread-${++unread}`;
    keep.add(key);
    const element = shown.get(key) ?? addCard(key, placed.card);
    const marks = [placed.turned && " turned", view.astray.includes(placed.card) && " astray", placed.note && " named"];
    element.setAttribute("class", `card ${placed.side}${marks.filter(Boolean).join("")}`);
    element.style.transform = `translate(${placed.x}px, ${placed.y}px) rotate(${placed.turn}deg)`;
    element.setAttribute("aria-label", label(placed));
    element.dataset.place = place;
  }
  for (const [key, element] of shown) {
    if (!keep.has(key)) {
      element.remove();
      shown.delete(key);
    }
  }
}

function addCard(key, card) {
  const element = svg(
    "g",
    { role: correctable ? "button" : "listitem", tabindex: correctable ? 0 : null, onclick: () => caption(element), onkeydown: typed(press) },
    svg("rect", { class: "shade", rx: 3, ...PAPER }),
    svg("rect", { class: "face", rx: 2.5, ...PAPER }),
    card === null ? svg("text", { class: "unread", y: 9 }, "?") : glyphs(faces[card]),
  );
  shown.set(key, element);
  cardLayer.append(element);
  return element;
}

/** A card that is missing, drawn where it belongs. */
function ghost(placed) {
  const transform = `translate(${placed.x} ${placed.y}) rotate(${placed.turn})`;
  return svg("g", { class: "ghost", transform }, svg("rect", { rx: 2.5, ...PAPER }), glyphs(faces[placed.card]));
}

/** One text element per card with a place for every kana: three columns from right to left. */
function glyphs(columns) {
  const xs = [], ys = [];
  columns.forEach((column, place) => {
    const line = Math.min(GLYPH.line, (5 * GLYPH.line) / column.length); // one card has six kana in a column
    [...column].forEach((_, number) => {
      xs.push((1 - place) * GLYPH.column);
      ys.push(-2.5 * GLYPH.line + (number + 0.5) * line + GLYPH.size * 0.36);
    });
  });
  return svg("text", { class: "glyphs", lang: "ja", x: xs.join(" "), y: ys.join(" ") }, columns.join(""));
}

function label(placed) {
  const text = placed.card === null ? strings.unread_card : faces[placed.card].join("");
  return [text, placed.where, placed.turned ? strings.turned_card : null, placed.note].filter(Boolean).join(", ");
}

function press(event) {
  if (!correctable || ![" ", "Enter"].includes(event.key)) return;
  event.preventDefault();
  caption(event.currentTarget);
}

function caption(element) {
  for (const other of shown.values()) other.classList.toggle("chosen", other === element);
  const text = element.getAttribute("aria-label");
  byId("caption").textContent = text;
  const detail = { place: Number(element.dataset.place), label: text };
  document.dispatchEvent(new CustomEvent("shinpan:card", { detail }));
}

function drawMarks(marks) {
  const rows = new Map(); // several contacts with one card stand side by side
  for (const mark of marks.filter(({ kind }) => kind === "touch")) {
    const key = mark.at.join(" ");
    rows.set(key, [...(rows.get(key) ?? []), mark]);
  }
  const targets = marks.filter(({ kind }) => kind === "target");
  markLayer.replaceChildren(
    ...targets.map((mark) => target(...mark.at, mark.card)),
    ...[...rows.values()].flatMap((row) => row.map((mark, place) => {
      const aside = (place - (row.length - 1) / 2) * 2.2 * MARK_RADIUS;
      return contact(mark.at[0] + aside, mark.at[1], mark);
    })),
  );
}

function target(x, y, card) {
  const half = { x: CARD.width / 2 + 5, y: CARD.height / 2 + 5 };
  const gone = shown.has(card) ? "" : " gone";
  const box = { x: x - half.x, y: y - half.y, width: 2 * half.x, height: 2 * half.y, rx: 5 };
  return svg("g", { class: `target${gone}` }, svg("rect", box));
}

function contact(x, y, mark) {
  const away = mark.player === "far" ? -1 : 1; // towards the player's own edge
  const turned = root.classList.contains("turned") ? 180 : 0;
  const place = `translate(${x} ${y + away * (CARD.height / 2 + 1)}) rotate(${turned})`;
  const shape = mark.player === "far"
    ? svg("rect", { x: -9.5, y: -9.5, width: 19, height: 19, transform: "rotate(45)" })
    : svg("circle", { r: MARK_RADIUS });
  return svg(
    "g",
    { class: `contact ${mark.player ?? "unknown"}`, transform: place },
    shape,
    svg("text", { y: 5 }, String(mark.order)),
  );
}

/** Look at the field from the other seat. */
export function turnField(turned, view) {
  root.classList.toggle("turned", turned);
  drawMarks(view.marks);
}
