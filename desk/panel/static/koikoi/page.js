// The Koi-Koi page: shows the game as it stands and sends what players and officials say.

import { byId, el, fill, readJson, say, strings } from "../dom.js";
import { startLook, shortcutsOn } from "../look.js";
import { cardList, openCorrection, startCorrection } from "./cards.js";
import { drawSeats } from "./seats.js";
import { drawTotals } from "./totals.js";

const language = document.documentElement.lang;
const seat = document.documentElement.dataset.seat;
const isOperator = seat === "operator";
const cardNames = readJson("cards");
const SILENCE_MS = 5000;
let view = readJson("view");
const drawn = new Map();

/** Draw a part again only where what it shows has changed: focus and screen readers stay where they are. */
function redraw(part, data, draw) {
  const key = JSON.stringify(data);
  if (drawn.get(part) === key) return;
  drawn.set(part, key);
  draw();
}

export async function command(body) {
  let text = strings.gone;
  try {
    const answer = await fetch(`/koikoi/commands?lang=${language}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    text = answer.ok ? "" : (await answer.json()).error;
  } catch {
    // the line tells by itself that it is lost
  }
  say(byId("refusal"), text);
}

const tap = (card) => (isOperator ? () => openCorrection(card) : null);

function lastMove() {
  const { last } = view;
  if (!last || !("card" in last)) return "";
  const text = fill(last.kind === "play" ? strings.played : strings.drew, {
    player: view.seats[last.player].name, card: cardNames[last.card],
  });
  if (!last.taken.length) return text;
  return `${text} ${fill(strings.took, { cards: last.taken.map((card) => cardNames[card]).join(strings.and) })}`;
}

function drawFlags() {
  byId("flags").replaceChildren(...view.flags.map((flag) =>
    el("li", { class: "flag", "data-flag": flag.id },
      el("strong", {}, flag.who ? `${flag.who}: ${flag.what}` : flag.what),
      el("p", {}, flag.mend),
      flag.cards.length ? cardList(flag.cards, { onTap: tap }) : "",
      el("details", {}, el("summary", {}, "…"), el("p", { class: "soft" }, fill(strings.reason, { text: flag.text }))),
    )));
  byId("no-flags").hidden = view.flags.length > 0;
}

function draw() {
  say(byId("round"), view.round_text);
  say(byId("sentence"), view.sentence);
  say(byId("last"), lastMove());
  const decides = view.deciding !== null && !view.over;
  byId("decide").hidden = !(decides && (isOperator || seat === String(view.deciding)));
  // whoever holds no hand card cannot go on
  byId("koikoi").hidden = decides && view.seats[view.deciding].hand === 0;
  byId("official").hidden = !isOperator;
  redraw("field", [view.field, view.turned], () => {
    byId("field").replaceWith(cardList(view.field, { id: "field", onTap: tap, marked: view.turned }));
  });
  say(byId("stock"), fill(strings.stock, { n: view.stock }));
  redraw("flags", view.flags, drawFlags);
  redraw("seats", [view.seats, view.turn, view.dealer, view.deciding], () => drawSeats(view, { onTap: tap }));
  redraw("totals", [view.rounds, view.seats.map((each) => each.total)], () => drawTotals(view));
}

function openLine() {
  let alarm = null;
  const source = new EventSource(`/koikoi/events?lang=${language}`);
  const state = (name) => {
    byId("line").dataset.line = name;
    say(byId("line"), strings[name]);
  };
  const again = () => {
    clearTimeout(alarm);
    source.close();
    state("lost");
    setTimeout(openLine, 1000);
  };
  const heard = () => {
    clearTimeout(alarm);
    alarm = setTimeout(again, SILENCE_MS);
  };
  source.addEventListener("open", () => { state("connected"); heard(); });
  source.addEventListener("view", (message) => { heard(); view = JSON.parse(message.data); draw(); });
  source.addEventListener("tick", (message) => {
    heard();
    const health = JSON.parse(message.data);
    say(byId("fps"), health.fps === null ? "" : fill(strings.fps, { n: Math.round(health.fps) }));
    say(byId("warnings"), health.warnings.join(" "));
  });
  source.addEventListener("error", () => {
    state("lost");
    if (source.readyState === EventSource.CLOSED) again();
  });
  heard();
}

const declare = (what) => {
  if (view.deciding !== null) command({ name: "declare", player: view.deciding, what });
};

function pressed(event) {
  const writes = event.target.closest("input, textarea, select");
  if (writes || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "?") byId("help-dialog").showModal();
  else if (!shortcutsOn()) return;
  else if (event.key === "k" && !byId("decide").hidden && !byId("koikoi").hidden) declare("koikoi");
  else if (event.key === "s" && !byId("decide").hidden) declare("stop");
  else if (event.key === "u" && isOperator) command({ name: "undo" });
}

byId("koikoi").addEventListener("click", () => declare("koikoi"));
byId("stop").addEventListener("click", () => declare("stop"));
byId("undo").addEventListener("click", () => command({ name: "undo" }));
byId("next-round").addEventListener("click", () => command({ name: "next_round" }));
byId("help").addEventListener("click", () => byId("help-dialog").showModal());
document.addEventListener("keydown", pressed);
startCorrection((card, really) => command({ name: "correct", card, really }));
startLook();
draw();
openLine();
