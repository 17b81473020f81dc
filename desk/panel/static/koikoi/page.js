// The Koi-Koi page: shows the game as it stands and sends what players and officials say.

import { byId, el, fill, readJson, say, strings } from "../dom.js";
import { startLook } from "../look.js";
import { commandsTo, openLine, redraw, startKeys } from "../table/table.js";
import { cardList, openCorrection, startCorrection } from "./cards.js";
import { drawSeats } from "./seats.js";
import { drawStatistics, drawTotals } from "./totals.js";

const seat = document.documentElement.dataset.seat;
const isOperator = seat === "operator";
const cardNames = readJson("cards");
let view = readJson("view");
const command = commandsTo("/koikoi");

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
  redraw("statistics", [view.statistics, view.seats.map((each) => each.name)], () => drawStatistics(view));
}

const declare = (what) => {
  if (view.deciding !== null) command({ name: "declare", player: view.deciding, what });
};

byId("koikoi").addEventListener("click", () => declare("koikoi"));
byId("stop").addEventListener("click", () => declare("stop"));
byId("undo").addEventListener("click", () => command({ name: "undo" }));
byId("next-round").addEventListener("click", () => command({ name: "next_round" }));
startKeys({
  k: () => { if (!byId("decide").hidden && !byId("koikoi").hidden) declare("koikoi"); },
  s: () => { if (!byId("decide").hidden) declare("stop"); },
  u: () => { if (isOperator) command({ name: "undo" }); },
});
startCorrection((card, really) => command({ name: "correct", card, really }));
startLook();
draw();
openLine("/koikoi", (latest) => { view = latest; draw(); });
