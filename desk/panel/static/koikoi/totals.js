// The score sheet month by month, and what the match shows of its players.

import { byId, el, fill, strings } from "../dom.js";

/** What a player got in a month, with a mark for who dealt and for koi-koi calls. */
function cell(round, seat) {
  const marks = [];
  if (round.dealer === seat) marks.push(el("span", { class: "chip dealer" }, strings.dealer));
  if (round.calls[seat]) marks.push(el("span", { class: "chip calls" }, fill(strings.calls, { n: round.calls[seat] })));
  return el("td", { class: "number" }, ...marks, " ", el("span", { class: "points" }, String(round.points[seat])));
}

export function drawTotals(view) {
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, strings.roundHead),
    ...view.seats.map((seat) => el("th", { scope: "col", class: "number" }, seat.name)), el("th", { scope: "col" }, strings.ending)));
  const rows = view.rounds.map((round) => el("tr", { "data-running": round.end === null ? "yes" : null },
    el("th", { scope: "row" }, el("a", { href: `/koikoi/rounds/${round.number}`, title: strings.story },
      String(round.number), el("span", { class: "sr" }, ` ${strings.story}`))),
    ...view.seats.map((_, seat) => cell(round, seat)),
    el("td", {}, round.ending, round.formula ? el("span", { class: "soft" }, ` ${round.formula}`) : "")));
  if (!rows.length) {
    rows.push(el("tr", {}, el("td", { class: "soft", colspan: view.seats.length + 2 }, strings.noMonth)));
  }
  const sums = el("tr", { class: "all" }, el("th", { scope: "row" }, strings.total),
    ...view.seats.map((seat) => el("td", { class: "number" }, String(seat.total))), el("td", {}));
  byId("totals").replaceChildren(head, el("tbody", {}, ...rows, sums));
}

export function drawStatistics(view) {
  const head = el("thead", {}, el("tr", {}, el("td", {}), ...view.seats.map((seat) => el("th", { scope: "col" }, seat.name))));
  const rows = view.statistics.map((row) => el("tr", {}, el("th", { scope: "row" }, row.label),
    ...row.seats.map((text) => el("td", {}, text))));
  byId("statistics").replaceChildren(head, el("tbody", {}, ...rows));
}
