// The points of every round and their sums, and what the match shows of its players.

import { byId, el, strings } from "../dom.js";

export function drawTotals(view) {
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, strings.roundHead),
    ...view.seats.map((seat) => el("th", { scope: "col" }, seat.name)), el("th", { scope: "col" }, strings.ending)));
  const rows = view.rounds.map((round) => el("tr", {}, el("th", { scope: "row" }, String(round.number)),
    ...round.points.map((points) => el("td", { class: "number" }, String(points))),
    el("td", {}, round.ending, round.formula ? el("span", { class: "soft" }, ` ${round.formula}`) : "")));
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
