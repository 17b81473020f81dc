// The set-up of a game at a card table: choose a source, see what the table lacks, agree, start.

import { askDesk, LATE_MS } from "../ask.js";
import { byId, offer, readJson, say, strings } from "../dom.js";
import { finding, showPicture } from "../findings.js";
import { showPhone } from "../phone_door.js";

const EVERY_MS = 700;
const game = document.documentElement.dataset.game;
const sourceForm = byId("source-form");
const agreeForm = byId("agree-form");
const extra = new URLSearchParams(location.search).get("simulator") ?? ""; // such as " fps=20", for tests
const goesOn = agreeForm.dataset.goOn; // the interrupted game that goes on, instead of a new one
let shown = readJson("shown");
let starting = false;

const ask = (path, body) => askDesk(`/api/${game}/set-up${path}`, body, strings.failed, LATE_MS);
const chosenPlayers = () => Number(sourceForm.elements.players?.value ?? 2);

function draw() {
  const { opening, source } = shown;
  say(byId("problem"), opening ? null : shown.problem);
  byId("opening").hidden = !opening;
  showPhone(opening ? null : shown.phone);
  showPicture(`/${game}/set-up.mjpeg`, opening || shown.problem ? null : source);
  byId("findings").replaceChildren(...shown.findings.map(finding));
  byId("start").disabled = !shown.ready || starting;
  const text = !shown.ready ? strings.not_ready : shown.failing.length ? strings.mend_first : strings.ready;
  say(byId("before-start"), starting ? strings.starting : text);
  drawSeats();
}

/** A recording knows its players and its dealer; before anything is open the choice counts. */
function drawSeats() {
  const players = shown.ready ? shown.players : chosenPlayers();
  for (const part of agreeForm.querySelectorAll("[data-seat]")) part.hidden = Number(part.dataset.seat) >= players;
  const kind = sourceForm.elements.kind.value;
  for (const part of document.querySelectorAll("[data-only]")) part.hidden = kind !== part.dataset.only;
  fitRules(players);
}

// --- the house rules -------------------------------------------------------------------------------------
const presets = [...agreeForm.querySelectorAll('[name="rules"]')];
const switches = [...agreeForm.querySelectorAll("[data-switch]")];
const chosenRules = () => presets.find((preset) => preset.checked);
const settings = () => JSON.parse(chosenRules().dataset.settings);

/** Rules for another number of players are grey and say why; one that fits is chosen instead. */
function fitRules(players) {
  for (const preset of presets) {
    preset.disabled = !preset.dataset.players.split(" ").includes(String(players));
    preset.closest(".rule").querySelector(".unfit").hidden = !preset.disabled;
  }
  if (!chosenRules().disabled) return;
  presets.find((preset) => !preset.disabled).checked = true;
  showSettings();
}

/** Show what the chosen rules say where tables differ. */
function showSettings() {
  for (const select of switches) select.value = settings()[select.dataset.switch] ?? "";
  linkYaku();
}

/** The table of yaku is that of the chosen rules with the chosen switches. */
function linkYaku() {
  const yaku = document.getElementById("yaku");
  if (yaku) yaku.href = `/koikoi/set-up/yaku/${encodeURIComponent(chosenRules().value)}?${new URLSearchParams(changes())}`;
}

/** What was set differently from the rules; simulated players play as many months as their source says. */
function changes() {
  const own = Object.fromEntries(switches.map((select) => [select.dataset.switch, select.value]));
  const { kind, rounds } = sourceForm.elements;
  if (kind.value === "simulator" && rounds) own.months = rounds.value;
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => value && value !== settings()[name]));
}

function where(kind) {
  const { camera, video, seed, rounds, speed } = sourceForm.elements;
  if (kind !== "simulator") return kind === "camera" ? camera.value : video.value;
  return `seed=${seed.value}${rounds ? ` rounds=${rounds.value}` : ""} speed=${speed.value}${extra}`;
}

function take(answer) {
  shown = answer.error ? { ...shown, opening: false, ready: false, findings: [], problem: answer.error } : answer;
  draw();
}

async function look(event) {
  event.preventDefault();
  const kind = sourceForm.elements.kind.value;
  shown = { ...shown, opening: true, phone: null, problem: null, findings: [], failing: [], ready: false };
  draw();
  take(await ask("/source", {
    kind, where: where(kind) || "-", deck: sourceForm.elements.deck?.value ?? "", players: chosenPlayers(),
  }));
  if (shown.ready) byId("start").focus();
}

async function follow() {
  if (document.hidden || shown.opening || shown.source === null || starting) return;
  const answer = await ask("");
  if (!shown.opening && !starting) take(answer);
}

function agreed() {
  const names = [...agreeForm.querySelectorAll('[name="names"]')].map((input) => input.value);
  return { rules: chosenRules().value, names, dealer: Number(agreeForm.elements.dealer?.value ?? 0), changes: changes() };
}

async function start(event) {
  event.preventDefault();
  starting = true;
  draw();
  const answer = await (goesOn === undefined ? ask("/start", agreed()) : ask("/go-on", { game: goesOn }));
  if (answer.page) {
    location.assign(answer.page);
    return;
  }
  starting = false;
  say(byId("refusal"), answer.error);
  draw();
}

function showKind() {
  const kind = sourceForm.elements.kind.value;
  for (const part of sourceForm.querySelectorAll("[data-kind]")) offer(part, part.dataset.kind === kind);
  for (const part of document.querySelectorAll("[data-not]")) part.hidden = part.dataset.not === kind;
  drawSeats();
}

sourceForm.addEventListener("submit", look);
byId("take-phone").addEventListener("click", () => {
  sourceForm.elements.camera.value = "phone";
  sourceForm.requestSubmit();
});
sourceForm.addEventListener("change", showKind);
agreeForm.addEventListener("submit", start);
for (const preset of presets) preset.addEventListener("change", showSettings);
for (const part of [...switches, sourceForm]) part.addEventListener("change", linkYaku);
const before = new URLSearchParams(location.search); // another game: the same players and rules
for (const preset of presets) preset.checked = before.has("rules") ? preset.value === before.get("rules") : preset.checked;
if (!chosenRules()) presets[0].checked = true;
for (const [number, input] of agreeForm.querySelectorAll('[name="names"]').entries()) input.value = before.getAll("names")[number] ?? input.value;
showSettings();
if (shown.source) {
  sourceForm.elements.kind.value = shown.source.kind;
  if (shown.source.kind !== "simulator") sourceForm.elements[shown.source.kind].value = shown.source.where;
}
showKind();
draw();
setInterval(follow, EVERY_MS);
