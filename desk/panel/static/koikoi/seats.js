// Every player: what the pile makes, what a stop would pay and why, and what is one card away.

import { byId, el, fill, strings } from "../dom.js";
import { cardList } from "./cards.js";

function yaku(seat) {
  if (!seat.yaku.length) return el("p", { class: "soft" }, strings.noYaku);
  return el("ul", { class: "yaku" }, ...seat.yaku.map((row) =>
    el("li", { "data-yaku": row.name }, el("b", {}, row.label), " ", el("span", { class: "points" }, row.points_text),
      cardList(row.cards))));
}

function away(seat) {
  if (!seat.away.length) return "";
  return el("details", { class: "away" }, el("summary", {}, `${strings.away} (${seat.away.length})`),
    el("ul", {}, ...seat.away.map((row) => el("li", {}, el("span", {}, row.label), cardList(row.cards)))));
}

function one(view, seat, number, onTap) {
  const notes = [];
  if (view.turn === number) notes.push(strings.turn);
  if (view.dealer === number) notes.push(strings.dealer);
  notes.push(fill(strings.handCards, { n: seat.hand }));
  if (seat.calls) notes.push(fill(strings.calls, { n: seat.calls }));
  const stop = seat.base
    ? el("p", { class: "if-stopped" }, fill(strings.ifStopped, { points: seat.points_text }), el("span", { class: "soft" }, ` ${seat.formula}`))
    : "";
  return el("section", { class: "player", "data-player": number, "data-on-turn": view.turn === number ? "yes" : null, "aria-label": seat.name },
    el("h2", {}, seat.name, el("span", { class: "soft" }, ` ${notes.join(" · ")}`), el("b", { class: "total" }, String(seat.total))),
    yaku(seat), stop, away(seat),
    el("h3", {}, `${strings.captured} (${seat.captures.length})`), cardList(seat.captures, { onTap }));
}

export function drawSeats(view, { onTap }) {
  const open = new Set([...document.querySelectorAll(".player details[open]")].map((details) => details.closest(".player").dataset.player));
  byId("seats").replaceChildren(...view.seats.map((seat, number) => one(view, seat, number, onTap)));
  for (const number of open) byId("seats").querySelector(`[data-player="${number}"] details`)?.setAttribute("open", "");
}
