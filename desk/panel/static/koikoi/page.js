// The Koi-Koi page: shows the game as it stands and sends what players and officials say.

import { byId, el, fill, readJson, say, strings } from "../dom.js";
import { startLook } from "../look.js";
import { play, startSounds } from "../table/sounds.js";
import { commandsTo, openLine, redraw, startKeys } from "../table/table.js";
import { isTurned, startTurning } from "../table/turned.js";
import { cardList, openCorrection, startCorrection } from "./cards.js";
import { drawSeats } from "./seats.js";
import { drawStatistics, drawTotals } from "./totals.js";

const seat = document.documentElement.dataset.seat;
const isOperator = seat === "operator";
const decide = byId("decide");
let view = readJson("view");
const command = commandsTo("/koikoi");

const tap = (card) => (isOperator ? () => openCorrection(card) : null);

function drawFlags() {
  byId("flags").replaceChildren(...view.flags.map((flag) =>
    el("li", { class: "flag", "data-flag": flag.id },
      el("strong", {}, flag.who ? `${flag.who}: ${flag.what}` : flag.what),
      el("p", {}, flag.mend),
      flag.cards.length ? cardList(flag.cards, { onTap: tap }) : "",
      el("details", {}, el("summary", {}, strings.why), el("p", { class: "soft" }, fill(strings.reason, { text: flag.text }))),
    )));
  byId("flags-section").hidden = view.flags.length === 0;
}

/** The buttons stand below the sentence; where the far half is turned round, before the player who decides. */
function placeDecision() {
  const decides = view.deciding !== null && !view.over;
  decide.hidden = !(decides && (isOperator || seat === String(view.deciding)));
  // whoever holds no hand card cannot go on
  decide.querySelector("#koikoi").hidden = decides && view.seats[view.deciding].hand === 0;
  const own = isTurned() ? document.querySelector(`[data-player="${view.deciding}"] .slot`) : null;
  const place = own ?? byId("decide-place");
  if (decide.parentElement !== place) place.append(decide);
}

/** The last page: who won, and another game with the same players. */
function drawFinish() {
  say(byId("finish-title"), view.sentence);
  byId("ranking").replaceChildren(...view.ranking.flatMap((seats, place) => seats.map((number) => el("li", {},
    fill(strings.place, { place: view.places[place], player: view.seats[number].name, points: view.seats[number].total_text })))));
  const again = document.getElementById("again");
  const names = view.own_names.map((name) => ["names", name ?? ""]);
  if (again) again.href = `/koikoi/set-up?${new URLSearchParams([["rules", view.rules], ...names])}`;
}

function draw() {
  say(byId("round"), view.round_text);
  byId("finish").hidden = !view.over;
  byId("next-round").hidden = view.over;
  if (view.over) drawFinish();
  say(byId("sentence"), view.sentence);
  say(byId("last"), view.last_text);
  byId("official").hidden = !isOperator;
  redraw("field", [view.field, view.turned], () => {
    byId("field").replaceWith(cardList(view.field, { id: "field", onTap: tap, marked: view.turned }));
  });
  byId("no-field").hidden = view.field.length > 0;
  say(byId("stock"), fill(strings.stock, { n: view.stock }));
  redraw("flags", view.flags, drawFlags);
  redraw("seats", [view.seats, view.turn, view.dealer, view.deciding, view.sentence], () => drawSeats(view, { onTap: tap }));
  placeDecision();
  redraw("totals", [view.rounds, view.seats.map((each) => each.total)], () => drawTotals(view));
  redraw("statistics", [view.statistics, view.seats.map((each) => each.name)], () => drawStatistics(view));
}

/** Sound what is new: a yaku to decide on before a fault, a fault before a capture. */
function sound(before) {
  if (view.deciding !== null && before.deciding === null) play("decide");
  else if (view.flags.length > before.flags.length) play("flag");
  else if (view.phase === "over" && before.phase !== "over") play("end");
  else if (view.last?.taken?.length && JSON.stringify(view.last) !== JSON.stringify(before.last)) play("take");
}

const declare = (what) => {
  if (view.deciding !== null) command({ name: "declare", player: view.deciding, what });
};

decide.querySelector("#koikoi").addEventListener("click", () => declare("koikoi"));
decide.querySelector("#stop").addEventListener("click", () => declare("stop"));
byId("undo").addEventListener("click", () => command({ name: "undo" }));
byId("next-round").addEventListener("click", () => command({ name: "next_round" }));
startKeys({
  k: () => { if (!decide.hidden && !decide.querySelector("#koikoi").hidden) declare("koikoi"); },
  s: () => { if (!decide.hidden) declare("stop"); },
  u: () => { if (isOperator) command({ name: "undo" }); },
  v: () => turn?.(),
});
startCorrection((card, really) => command({ name: "correct", card, really }));
startLook();
startSounds();
draw();
byId("turn").hidden = view.players !== 2;
const turn = view.players === 2 ? startTurning("koikoi", placeDecision) : null;
openLine("/koikoi", (latest) => {
  const before = view;
  view = latest;
  draw();
  sound(before);
});
