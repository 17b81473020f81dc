// One film: how far its judging has come, its readings in picture and sound, and the ruling that is looked at.

import { askDesk, LATE_MS } from "../ask.js";
import { cardChoice } from "../card_choice.js";
import { base, byId, el, fill, readJson, refill, say, SHAPES, strings } from "../dom.js";
import { drawField } from "../field.js";
import { typed } from "../keys.js";
import { Replay } from "../replay.js";
import { drawRuling } from "../verdict.js";
import { drawWave, Onset } from "./onset.js";
import { drawTable, firstStep, stepNumbered } from "./table.js";

const EVERY_MS = 500;
const LEAST_REM = 62, READING_REM = 5.5;
const language = document.documentElement.lang;
const api = `/api${base}`;
const may = byId("answer") !== null;
const replay = new Replay();
const onset = may ? new Onset((t_ms) => correct({ t_ms })) : null;
let film = readJson("shown");
let picked = firstOf(film); // a reading, or a step of a card table
let poem = null; // what is known of the reading that is looked at
let wave = null;
let asksAgain = false; // somebody wants to say more and have it judged anew

const ask = (path, body) => askDesk(`${api}${path}`, body, strings.failed, LATE_MS);

/** Send a command, say what is wrong with it, and show what came of it. */
async function command(path, body) {
  const answer = await ask(path, body);
  say(byId("refusal"), answer.error);
  if (!answer.error) await load();
  return answer;
}

async function load() {
  const answer = await ask("");
  if (answer.error) return;
  film = answer;
  if (!isThere(picked)) picked = firstOf(film);
  await pick(picked);
}

function firstOf({ readings, table }) {
  return table ? firstStep(table) : readings[0]?.number ?? null;
}

const isThere = (number) => (film.table
  ? stepNumbered(film.table, number) !== null : film.readings.some((one) => one.number === number));

async function pick(number) {
  picked = number;
  const answer = number === null || film.table ? null : await ask(`/poems/${number}`);
  if (number !== picked) return; // somebody was faster
  poem = answer?.error ? null : answer;
  draw();
  showMarker();
}

/** Bring the reading that is looked at into the part of the reel that is seen. */
function showMarker() {
  const reel = byId("reel"), marked = byId("readings").querySelector("[aria-current]")?.parentElement;
  if (marked) reel.scrollLeft = marked.offsetLeft - reel.clientWidth / 2;
}

const isBusy = () => ["working", "waiting"].includes(film.state);

function drawState() {
  const { working } = film;
  say(byId("state"), working ? working.text : film.state_text);
  say(byId("left"), working?.left);
  byId("bar").hidden = !isBusy();
  if (working && working.share > 0) byId("bar").value = working.share;
  else byId("bar").removeAttribute("value");
  say(byId("problem"), isBusy() ? null : film.problem);
  say(byId("silent"), film.silent_why);
  byId("risk").hidden = !film.risk;
  byId("risk").lastElementChild.textContent = film.risk;
  if (!may) return;
  const asks = !isBusy() && (film.ask !== "" || asksAgain);
  byId("answer").hidden = !asks;
  say(byId("question"), film.ask ? film.question : null);
  const game = byId("answer").elements.game.value || film.game;
  for (const part of document.querySelectorAll("[data-ask]")) {
    const fits = !game || !part.dataset.game || part.dataset.game === game;
    part.hidden = asksAgain ? !fits : part.dataset.ask !== film.ask;
  }
  byId("keep-open").hidden = isBusy() || film.kept_as !== null || film.readings.length === 0;
  byId("case").hidden = byId("case-note").hidden = isBusy() || film.state !== "judged";
  byId("again").disabled = isBusy();
  byId("kept").hidden = film.kept_as === null;
  byId("kept-link").href = `/matches/${film.kept_as}/`;
}

function drawOverview() {
  byId("overview").hidden = !film.has_overview;
  if (!film.has_overview) return;
  // a match of a hundred poems is scrolled through: each reading has room for its kimariji
  byId("strip").parentElement.style.minWidth = `${Math.max(LEAST_REM, READING_REM * film.readings.length)}rem`;
  if (!byId("strip").src) byId("strip").src = `${base}/strip.bin`;
  if (wave === null) {
    wave = new Uint8Array();
    fetch(`${base}/waveform.bin`).then((answer) => answer.arrayBuffer()).then((data) => {
      wave = new Uint8Array(data);
      if (onset) { onset.wave = wave; onset.draw(); }
      drawWhole();
    }, () => {});
  }
  drawWhole();
  refill(byId("readings"), film.readings.map((one) => ({ ...one, picked: one.number === picked })), marker);
}

function drawWhole() {
  const length_ms = film.length_ms || 10 * wave.length;
  byId("waveform").hidden = wave.length === 0;
  if (wave.length) drawWave(byId("waveform"), wave, 0, length_ms, getComputedStyle(document.documentElement).getPropertyValue("--soft"));
}

function marker(one) {
  const t = (one.t_ms / 1000).toFixed(1);
  const label = fill(strings.marker, { order: one.number, kimariji: one.kimariji, t, label: one.label });
  const button = el(
    "button",
    {
      class: `${one.taken_by ?? "nobody"}${one.doubted ? " doubted" : ""}`, title: label,
      "aria-label": one.doubted ? `${label} (${strings.in_doubt})` : label,
      "aria-current": one.picked ? "true" : null, onclick: () => pick(one.number),
    },
    el("span", { lang: "ja" }, one.kimariji), el("span", { class: "sign", "aria-hidden": "true" }, one.doubted ? "?" : SHAPES[one.taken_by] ?? "–"));
  const item = el("li", {}, button);
  item.style.left = `${(100 * one.t_ms) / Math.max(film.length_ms, 1)}%`;
  return item;
}

function drawPoem() {
  const shown = poem !== null;
  byId("ruled").hidden = !shown && !film.table;
  byId("verdict").hidden = byId("corrections").hidden = !shown;
  if (!shown) return;
  drawRuling({ winner_text: null }, poem.poem, false);
  drawField({ field: poem.field, astray: [], missing: [], marks: poem.marks });
  // what was judged again is another replay
  replay.show({ ...poem.poem, order: `${poem.number} ${film.version}` });
  byId("clip").hidden = !poem.poem.evidence;
  byId("clip").href = `${base}/evidence/${poem.number}.mp4?lang=${language}`;
  if (!may) return;
  say(byId("reading-doubt"), poem.doubt);
  say(byId("read-poem"), `${poem.poem.kimariji} (${poem.poem.poem})`);
  byId("perhaps").replaceChildren(...poem.perhaps.map(({ card, name, text }) => el(
    "button", { type: "button", title: text, onclick: () => correct({ poem: card }) }, fill(strings.perhaps, { kimariji: name }))));
  byId("same-poem").hidden = !poem.poem_in_doubt;
  onset.show(poem, film.length_ms);
  for (const button of byId("corrections").querySelectorAll("button")) button.disabled = isBusy();
  if (!isBusy()) onset.moveTo(onset.t_ms);
}

function draw() {
  drawState();
  drawOverview();
  drawPoem();
  byId("played").hidden = !film.table;
  if (!film.table) return;
  drawTable(film.table, picked, pick);
  if (byId("speed").value !== "1" && replay.shown === null) byId("speed").value = "1"; // cards are laid, not struck
  replay.show(picked === null ? null : { evidence: true, seq: picked, order: `${picked} ${film.version}`, touches: [] });
}

async function follow() {
  if (document.hidden || !isBusy()) return;
  const progress = await ask("/progress");
  if (progress.error) return;
  const over = !["working", "waiting"].includes(progress.state);
  if (over || progress.version !== film.version) {
    await load();
  } else {
    film = { ...film, state: progress.state, state_text: progress.state_text, working: progress.working };
    drawState();
  }
}

async function correct(correction) {
  say(byId("state"), strings.judging_again);
  await command("/correct", { number: picked, ...correction });
}

const NUMBERS = ["fps", "players", "dealer"];
const asked = () => [...byId("answer").elements].filter((one) => one.name && !one.closest("[data-ask]").hidden);

async function answer(event) {
  event.preventDefault();
  const said = {};
  for (const { name, value } of asked()) { // what is emptied is forgotten
    said[name] = NUMBERS.includes(name) ? (value ? Number(value) : null) : value.trim();
  }
  const came = await command("/judge", said);
  if (!came.error) asksAgain = false;
  byId("again").setAttribute("aria-expanded", String(asksAgain));
  draw();
}

function openAgain() {
  asksAgain = !asksAgain;
  byId("again").setAttribute("aria-expanded", String(asksAgain));
  if (!asksAgain) return drawState();
  for (const one of byId("answer").elements) {
    if (one.name) one.value = film.told[one.name] ?? "";
  }
  drawState();
  asked().find(({ name }) => name !== "game").focus();
  return undefined;
}

async function keep(event) {
  event.preventDefault();
  const { near, far } = event.target.elements;
  byId("keep-dialog").close();
  await command("/keep", { near: near.value, far: far.value });
}

async function remove() {
  byId("delete-dialog").close();
  const came = await ask("/delete", {});
  if (came.error) say(byId("refusal"), came.error);
  else location.assign("/films");
}

/** The replay is moved with the keys of the match page, wherever nothing else wants them. */
function press(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, button, a, summary, [role=slider]:not(#ruler)")) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && event.shiftKey) replay.stepTouch(by);
  else if (by) replay.step(by);
  else if (event.key === " ") replay.toggle();
  else return;
  event.preventDefault();
}

if (may) {
  const choice = cardChoice("poem", (card) => correct({ poem: card }));
  byId("other-poem").addEventListener("click", () => choice.open());
  byId("same-poem").addEventListener("click", () => correct({ poem: poem.poem.poem }));
  byId("answer").addEventListener("submit", answer);
  byId("again").addEventListener("click", openAgain);
  byId("answer").elements.game.addEventListener("change", drawState);
  byId("keep-open").addEventListener("click", () => byId("keep-dialog").showModal());
  byId("keep-form").addEventListener("submit", keep);
  byId("delete-open").addEventListener("click", () => byId("delete-dialog").showModal());
  byId("delete").addEventListener("click", remove);
  for (const button of document.querySelectorAll("[data-close]")) {
    button.addEventListener("click", () => button.closest("dialog").close());
  }
}
document.addEventListener("keydown", typed(press));
new ResizeObserver(() => { if (wave !== null) drawWhole(); }).observe(byId("reel"));
setInterval(follow, EVERY_MS);
pick(picked);
