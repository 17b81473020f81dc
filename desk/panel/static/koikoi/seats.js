// Every player: captured cards by kind, what the pile makes, what a stop would pay, and what is one card away.

import { byId, el, fill, strings } from "../dom.js";
import { cardList } from "./cards.js";

/** A yaku by its written name and, in another language, what it means. */
export const called = ({ kanji, meaning }) =>
  el("span", { class: "called" }, el("b", { lang: "ja" }, kanji), meaning ? ` ${meaning}` : "");

/** Captured cards by kind; `options` as for `cardList`. */
export const kinds = (groups, options = {}) => el("div", { class: "kinds" }, ...groups.map((group) =>
  el("div", { class: "kind", "data-kind": group.kind, "data-empty": group.cards.length ? null : "yes" },
    el("h3", {}, group.kanji ? el("span", { lang: "ja", class: "kanji" }, group.kanji) : "", ` ${group.label} `,
      el("span", { class: "count" }, String(group.cards.length))),
    cardList(group.cards, options))));

const yaku = (seat) => seat.yaku.length
  ? el("ul", { class: "yaku", "aria-label": strings.reached }, ...seat.yaku.map((row) =>
    el("li", { "data-yaku": row.name }, called(row), el("span", { class: "points" }, row.points_text))))
  : el("p", { class: "soft" }, strings.noYaku);

function away(seat) {
  if (!seat.away.length) return "";
  return el("div", { class: "away" }, el("h3", {}, `${strings.away} (${seat.away.length})`),
    el("ul", {}, ...seat.away.map((row) => el("li", { "data-away": row.name }, called(row),
      cardList(row.cards, { lit: row.there, note: strings.inTheMiddle }), el("span", { class: "soft" }, row.base_text)))));
}

function one(view, seat, number, onTap) {
  const chips = [];
  if (view.dealer === number) chips.push(el("span", { class: "chip dealer" }, strings.dealer));
  const isOver = view.phase === "over";
  if (view.turn === number && !isOver) chips.push(el("span", { class: "chip turn" }, strings.turn));
  if (seat.calls) chips.push(el("span", { class: "chip calls" }, fill(strings.calls, { n: seat.calls })));
  chips.push(el("span", { class: "chip" }, fill(strings.handCards, { n: seat.hand })));
  return el("section", { class: "player", "data-player": number, "data-on-turn": view.turn === number && !isOver ? "yes" : null, "aria-label": seat.name },
    el("div", { class: "who" }, el("h2", {}, seat.name), el("p", { class: "chips" }, ...chips),
      el("p", { class: "total" }, el("span", { class: "soft" }, `${strings.total} `), String(seat.total))),
    el("p", { class: "own", "aria-hidden": "true" }, view.turn === number || view.deciding === number ? view.sentence : ""),
    el("div", { class: "slot" }),
    seat.base && !isOver
      ? el("p", { class: "if-stopped" }, fill(strings.ifStopped, { points: seat.points_text }), el("span", { class: "soft" }, ` ${seat.formula}`))
      : "",
    kinds(seat.groups, { onTap }),
    el("div", { class: "made" }, yaku(seat), away(seat)));
}

/** Draw the seats: of two players the far one above the middle, of more all below it. */
export function drawSeats(view, { onTap }) {
  const drawn = view.seats.map((seat, number) => one(view, seat, number, onTap));
  const far = view.players === 2 ? drawn.splice(1) : [];
  byId("far").replaceChildren(...far);
  byId("seats").replaceChildren(...drawn);
}
