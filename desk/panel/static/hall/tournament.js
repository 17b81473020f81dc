// The tournament: classes, pairings, standings; the operator draws, enters results and puts matches onto mats.

import { byId, changed, el, fill, readJson, refill, say, SHAPES, strings } from "../dom.js";
import { typed } from "../keys.js";
import { remember, remembered, startLook, toggleDark, toggleProjector } from "../look.js";
import { openLine, send } from "./line.js";

const isOperator = document.documentElement.dataset.role === "operator";
const SEATS = ["near", "far"]; // the first of a pairing sits at the near side
let view = readJson("view");
let chosen = new URLSearchParams(location.search).get("class") ?? remembered("class");
let asked = null; // the board or the entrant that a dialog is about

function command(name, body = {}) {
  say(byId("done"), "");
  return send("/api/tournament", JSON.stringify({ name, ...body }));
}
const course = () => view.classes.find((each) => each.name === chosen) ?? view.classes[0];

function choose(name) {
  chosen = name;
  remember("class", name);
  draw();
}

function drawClasses() {
  refill(byId("classes"), view.classes.map(({ name, title, round, is_over }) => ({ name, title, round, is_over, on: name === chosen })), (each) =>
    el("button", { "aria-pressed": String(each.on), "data-class": each.name, onclick: () => choose(each.name) },
      el("b", {}, each.title), el("span", { class: "soft" }, `${each.round}${each.is_over ? " ✓" : ""}`)));
}

/** Return an entrant's name, which leads the operator to what can be done about it. */
function entrantName(entrant) {
  return isOperator
    ? el("button", { class: "name plain", title: fill(strings.about, entrant), onclick: () => openEntrant(entrant) }, entrant.name)
    : el("span", { class: "name" }, entrant.name);
}

function player(entrant, place) {
  const shape = el("span", { class: `shape ${SEATS[place]}`, "aria-hidden": "true" }, SHAPES[SEATS[place]]);
  const name = entrantName(entrant);
  const state = entrant.won ? "won" : entrant.lost ? "lost" : "";
  return el("span", { class: `player ${state}${entrant.withdrawn ? " withdrawn" : ""}` },
    shape, name, entrant.club ? el("span", { class: "soft club" }, entrant.club) : "");
}

function boardLine(board, pairing, round) {
  const mat = board.mat ? el("span", { class: "chip" }, fill(strings.mat, { n: board.mat_number })) : "";
  const proposed = board.proposed && isOperator
    ? el("button", { class: "proposed", onclick: () => command("result", { match: board.match, winner: board.proposed.winner, cards: board.proposed.cards }) },
      board.proposed.text, " – ", strings.accept)
    : board.proposed ? el("span", { class: "proposed" }, board.proposed.text) : "";
  const label = fill(board.is_open ? strings.enter : strings.change, { match: board.match });
  const enter = isOperator && round.is_latest
    ? el("button", { class: "enter", "aria-label": label, title: label, onclick: () => openResult(board, pairing) }, "✎") : "";
  const teams = pairing.boards.length > 1;
  return el("li", { class: "board-line", "data-match": board.match, "data-open": board.is_open ? "" : null },
    el("span", { class: "match-id" }, board.match), mat,
    teams ? el("span", { class: "seats" }, ...board.players.map((name, place) =>
      el("span", { class: board.winner === place ? "won" : "" }, `${SHAPES[SEATS[place]]} ${name ?? strings.nobody}`))) : "",
    el("span", { class: "outcome-text" }, board.result ?? strings.open), proposed, enter);
}

function pairingCard(pairing, round) {
  const [first, second] = pairing.entrants;
  const wins = pairing.wins ? el("b", { class: "wins" }, `${pairing.wins[0]} – ${pairing.wins[1]}`) : el("span", { class: "soft" }, "–");
  return el("li", { class: "pairing" },
    el("div", { class: "players" }, player(first, 0), wins, player(second, 1)),
    el("ul", {}, ...pairing.boards.map((board) => boardLine(board, pairing, round))));
}

function drawRounds(shown) {
  byId("rounds").replaceChildren(...shown.rounds.map((round) => {
    const list = el("ol", { class: "pairings" }, ...round.pairings.map((pairing) => pairingCard(pairing, round)));
    const byes = round.byes.length ? el("p", { class: "byes" }, fill(strings.bye, { names: round.byes.join(", ") })) : "";
    if (round.is_latest) return el("section", {}, el("h3", {}, round.name), list, byes);
    return el("details", {}, el("summary", {}, round.name), isOperator ? el("p", { class: "soft" }, strings.settled) : "", list, byes);
  }));
}

function drawStandings(shown) {
  byId("columns").replaceChildren(...shown.columns.map((text) => el("th", { scope: "col" }, text)));
  byId("standings").replaceChildren(...shown.standings.map((row) => el("tr", { class: row.is_in ? "in" : row.withdrawn ? "withdrawn" : "" },
    el("td", { class: "number" }, String(row.rank)),
    el("th", { scope: "row" }, entrantName(row), row.note ? el("span", { class: "soft" }, ` ${row.note}`) : ""),
    el("td", {}, row.club), ...row.figures.map((figure) => el("td", { class: "number" }, String(figure))))));
}

function draw() {
  say(byId("name"), view.name || strings.tournament);
  say(byId("seed"), view.seed);
  byId("empty").hidden = view.classes.length > 0;
  const shown = course();
  chosen = shown?.name ?? null;
  drawClasses();
  byId("course").hidden = !shown;
  if (isOperator) {
    refill(byId("mats"), view.mats, ({ mat, number }) => el("option", { value: mat }, fill(strings.mat, { n: number })));
    refill(byId("entrant-class"), view.classes.filter((each) => each.can_enter).map((each) => each.name), (name) => el("option", {}, name));
    if (!view.classes.length) byId("entries").open = true;
  }
  if (!shown) return;
  say(byId("course-title"), shown.title);
  say(byId("course-facts"), [shown.system, shown.entrants, shown.round].join(" · "));
  say(byId("champion"), shown.champion);
  if (isOperator) {
    byId("draw").hidden = !shown.can_draw;
    byId("place-round").hidden = shown.unplaced === 0;
    byId("cancel-draw").hidden = !shown.can_cancel;
  }
  if (changed("rounds", [shown.name, shown.rounds])) drawRounds(shown);
  if (changed("standings", [shown.name, shown.columns, shown.standings])) drawStandings(shown);
}

// --- the operator ------------------------------------------------------------------------------------------

function openResult(board, pairing) {
  asked = board;
  const names = board.players.map((name, place) => name ?? pairing.entrants[place].name);
  say(byId("result-title"), fill(board.is_open ? strings.enter : strings.change, { match: board.match }));
  say(byId("result-proposed"), board.proposed?.text);
  byId("first-player").textContent = `${SHAPES.near} ${names[0]}`;
  byId("second-player").textContent = `${SHAPES.far} ${names[1]}`;
  byId("result-form").reset();
  byId("result-mat").value = board.mat ?? "";
  byId("result-clear").hidden = board.is_open;
  const winner = board.proposed?.winner ?? board.winner;
  if (winner !== null && winner !== undefined) byId("result-form").elements.winner.value = String(winner);
  byId("result-cards").value = board.proposed?.cards ?? "";
  byId("result-dialog").showModal();
}

async function saveResult() {
  const { match } = asked, written = byId("result-mat").value.trim();
  const mat = view.mats.find(({ number }) => number === written)?.mat ?? (written || null); // 7 is mat-07
  const answer = byId("result-dialog").returnValue;
  if (answer === "clear") await command("clear", { match });
  if (answer !== "save" && answer !== "place") return;
  if (mat !== asked.mat) await command("place", { match, mat });
  if (answer !== "save") return;
  const winner = byId("result-form").elements.winner.value;
  const byDefault = byId("result-default").checked || winner === "none";
  const cards = byDefault ? null : Number(byId("result-cards").value) || null;
  await command("result", { match, winner: winner === "none" ? null : Number(winner), cards, by_default: byDefault });
}

function openEntrant(entrant) {
  asked = entrant;
  say(byId("entrant-title"), entrant.name);
  const shown = course(), team = shown.teams && entrant.members.length > 0;
  byId("lineup").hidden = byId("save-lineup").hidden = !team;
  byId("withdraw").hidden = byId("withdraw-means").hidden = entrant.withdrawn;
  for (const label of byId("lineup").querySelectorAll("label")) label.remove();
  if (team) {
    const pairing = shown.rounds[0]?.pairings.find((each) => each.entrants.some(({ number }) => number === entrant.number));
    const place = pairing?.entrants.findIndex(({ number }) => number === entrant.number) ?? 0;
    (pairing?.boards ?? []).forEach((board, number) => {
      const choices = [el("option", { value: "" }, strings.nobody),
        ...entrant.members.map((name) => el("option", { selected: board.players[place] === name }, name))];
      byId("lineup").append(el("label", { class: "field-label" }, fill(strings.board, { n: number + 1 }), el("select", {}, ...choices)));
    });
  }
  byId("entrant-dialog").showModal();
}

async function saveEntrant() {
  const answer = byId("entrant-dialog").returnValue;
  if (answer === "withdraw") await command("withdraw", { number: asked.number });
  if (answer === "lineup") {
    const players = [...byId("lineup").querySelectorAll("select")].map((select) => select.value || null);
    await command("lineup", { number: asked.number, players });
  }
}

function startOperator() {
  const of = (id) => byId(id).value.trim();
  const rounds = (id, system) => (of(system) === "swiss" ? Number(of(id)) || null : null);
  byId("draw").addEventListener("click", () => command("draw", { division: chosen }));
  byId("place-round").addEventListener("click", () => command("place_round", { division: chosen }));
  byId("cancel-draw").addEventListener("click", () => command("cancel_draw", { division: chosen }));
  byId("result-dialog").addEventListener("close", saveResult);
  byId("entrant-dialog").addEventListener("close", saveEntrant);
  byId("class-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const division = of("class-name");
    const body = { division, system: of("class-system"), rounds: rounds("class-rounds", "class-system"), teams: byId("class-teams").checked };
    if (await command("open_class", body)) { event.target.reset(); choose(division); }
  });
  byId("entrant-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const members = of("entrant-members").split(/[,、，]/).map((name) => name.trim()).filter(Boolean);
    const body = { division: of("entrant-class"), entrant: of("entrant-name"), club: of("entrant-club"), members };
    if (await command("enter", body)) event.target.reset();
  });
  byId("list-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = byId("list-file").files[0];
    const query = new URLSearchParams({ name: file.name, system: of("list-system") });
    const swiss = rounds("list-rounds", "list-system");
    if (swiss) query.set("rounds", swiss);
    const answer = await send(`/api/tournament/entrants?${query}`, file, "application/octet-stream");
    say(byId("done"), answer ? fill(strings.entered, { n: answer.entered }) : "");
    if (answer) event.target.reset();
  });
}

document.addEventListener("keydown", typed((event) => {
  if (event.target.closest("input, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "f") toggleProjector();
  if (event.key === "d") toggleDark();
}));
if (isOperator) startOperator();
startLook();
openLine("/api/tournament/events", (latest) => { view = latest; draw(); });
draw();
