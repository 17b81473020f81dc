// The set-up of a match: choose a source, see what it lacks, correct the cards, agree, start.

import { askDesk, LATE_MS } from "./ask.js";
import { cardChoice } from "./card_choice.js";
import { byId, offer, readJson, say, strings } from "./dom.js";
import { drawField } from "./field.js";
import { finding, showPicture } from "./findings.js";
import { showPhone } from "./phone_door.js";

const EVERY_MS = 700;

const sourceForm = byId("source-form");
const agreeForm = byId("agree-form");
const goesOn = agreeForm.dataset.goOn; // the interrupted match that goes on, instead of a new one
let shown = readJson("shown");
let followCounts = true; // cards a side as they are read, until somebody writes a number
let correcting = null;
let leavesKnowingly = false; // who starts while another match is played says so twice
let seated = { near: "", far: "" }; // the names that the hall's tournament gave last

const mayStart = () => (goesOn === undefined ? shown.ready : !shown.opening);
const ask = (path, body) => askDesk(`/api/set-up${path}`, body, strings.failed, LATE_MS);

function draw() {
  const source = shown.source;
  say(byId("problem"), shown.opening ? strings.opening : shown.problem);
  byId("problem").classList.toggle("soft", shown.opening);
  showPhone(shown.opening ? null : shown.phone);
  showPicture("/set-up.mjpeg", shown.opening ? null : source);
  byId("findings").replaceChildren(...shown.findings.map(finding));
  say(byId("counts"), shown.field.length ? shown.counts_text : null);
  byId("how-to-correct").hidden = shown.field.length === 0;
  const corrected = new Set(shown.corrected);
  drawField({
    field: shown.field.map((placed, place) => ({ ...placed, note: corrected.has(place) ? strings.corrected : null })),
    astray: [], missing: [], marks: [],
  });
  const kinds = [source?.kind, source?.where.includes("rehearse=yes") ? "rehearsal" : null];
  for (const only of document.querySelectorAll("[data-only]")) {
    only.hidden = !only.dataset.only.split(" ").some((kind) => kinds.includes(kind));
  }
  showReader();
  takeSeat();
  if (followCounts && shown.field.length) {
    agreeForm.elements.cards_per_side.value = Math.max(shown.counts.near, shown.counts.far);
  }
  byId("start").disabled = !mayStart();
  const failing = shown.failing.length > 0;
  const leaving = leavesKnowingly && shown.leaves;
  const ready = leaving ? strings.leaves : failing ? strings.mend_first : strings.ready;
  const note = leaving || shown.ready ? ready : goesOn === undefined ? strings.not_ready : null;
  say(byId("before-start"), note);
  byId("start").textContent = leaving ? strings.leave : strings.start;
}

function takePhone() {
  sourceForm.elements.camera.value = "phone";
  sourceForm.requestSubmit();
}

function where(kind) {
  const { camera, video, seed, cards: perSide, speed, rehearse } = sourceForm.elements;
  if (kind === "simulator") return `seed=${seed.value} cards=${perSide.value} speed=${speed.value}${rehearse.checked ? " rehearse=yes" : ""}${extra}`;
  return kind === "camera" ? camera.value : video.value;
}

const extra = new URLSearchParams(location.search).get("simulator") ?? ""; // such as " fps=30", for tests

async function look(event) {
  event.preventDefault();
  const kind = sourceForm.elements.kind.value;
  followCounts = true;
  shown = { ...shown, opening: true, problem: null, findings: [], field: [], ready: false, phone: null };
  draw();
  take(await ask("/source", { kind, where: where(kind), deck: sourceForm.elements.deck?.value }));
}

function take(answer) {
  if (answer.error) {
    shown = { ...shown, opening: false, problem: answer.error };
  } else {
    shown = answer;
  }
  draw();
}

async function follow() {
  if (document.hidden || shown.opening || shown.source === null) return;
  const answer = await ask("");
  if (!shown.opening) take(answer);
}

// --- correcting a card ---------------------------------------------------------------------------------------
const choice = cardChoice("correct", correct);

function openCorrection(place, label) {
  correcting = place;
  say(byId("correct-now"), label);
  choice.open();
}

async function correct(card) {
  byId("correct-dialog").close();
  if (correcting === null) return;
  const answer = await ask("/correct", { place: correcting, card });
  correcting = null;
  if (answer.error) say(byId("problem"), answer.error);
  else setTimeout(follow, 150);
}

// --- the house rules -----------------------------------------------------------------------------------------
const switches = [...agreeForm.querySelectorAll("[data-switch]")];
const settings = () => JSON.parse(agreeForm.querySelector("[name=rules]:checked").dataset.settings);

/** Show what the chosen rules say at every switch. */
function showSettings() {
  for (const field of switches) field.value = settings()[field.dataset.switch];
}

/** The switches that were set otherwise than the chosen rules say. */
function changes() {
  const own = switches.map((field) => [field.dataset.switch, field.value]);
  return Object.fromEntries(own.filter(([name, value]) => value && value !== settings()[name]));
}

// --- starting ------------------------------------------------------------------------------------------------
async function start(event) {
  event.preventDefault();
  if (shown.leaves && !leavesKnowingly) {
    leavesKnowingly = true;
    draw();
    return;
  }
  byId("start").disabled = true;
  const answer = goesOn === undefined ? await ask("/start", agreed()) : await ask("/go-on", { match: goesOn });
  if (answer.match) {
    location.assign(answer.match);
  } else {
    say(byId("refusal"), answer.error);
    byId("start").disabled = !mayStart();
  }
}

function agreed() {
  const { elements } = agreeForm;
  return {
    near: elements.near.value,
    far: elements.far.value,
    rules: elements.rules.value,
    changes: changes(),
    official: elements.official.checked,
    keeps_sound: elements.keeps_sound.checked,
    cards_per_side: Number(elements.cards_per_side.value),
    memorise_min: Number(elements.memorise_min.value),
    appeals: elements.appeals.value === "" ? null : Number(elements.appeals.value),
    take: elements.take.value,
    fault: elements.fault.value,
    voice: elements.voice.value,
    rhythm: elements.rhythm.value,
    microphone: elements.microphone.value,
    certainty: Number(elements.certainty.value),
  };
}

/** Show what only a voice of the machine, or only a person who reads, needs; in a hall neither is. */
function showReader() {
  const reader = agreeForm.elements.voice.value === "person" ? "person" : "voice";
  for (const part of agreeForm.querySelectorAll("[data-reader]")) {
    const isElsewhere = part.dataset.only && shown.source?.kind !== part.dataset.only;
    part.hidden = isElsewhere || shown.seat !== null || !["any", reader].includes(part.dataset.reader);
  }
}

/** Say where in a hall this is, and take over who plays here, unless somebody wrote other names. */
function takeSeat() {
  say(byId("seat"), shown.seat?.text ?? null);
  for (const side of ["near", "far"]) {
    const field = agreeForm.elements[side];
    const name = shown.seat?.names[side] ?? "";
    if (field.value === seated[side] && name !== seated[side]) field.value = name;
    seated[side] = name;
  }
}

function showKind() {
  const kind = sourceForm.elements.kind.value;
  for (const part of sourceForm.querySelectorAll("[data-kind]")) offer(part, part.dataset.kind === kind);
}

sourceForm.addEventListener("submit", look);
byId("take-phone").addEventListener("click", takePhone);
sourceForm.addEventListener("change", showKind);
agreeForm.addEventListener("submit", start);
agreeForm.elements.voice.addEventListener("change", showReader);
for (const preset of agreeForm.elements.rules) preset.addEventListener("change", showSettings);
showSettings();
agreeForm.elements.cards_per_side.addEventListener("input", () => { followCounts = false; });
byId("correct-unknown").addEventListener("click", () => correct(null));
document.addEventListener("shinpan:card", (event) => openCorrection(event.detail.place, event.detail.label));
if (shown.source && !(goesOn && shown.source.kind === "simulator")) {
  sourceForm.elements.kind.value = shown.source.kind;
  if (shown.source.kind !== "simulator") sourceForm.elements[shown.source.kind].value = shown.source.where;
}
if (sourceForm.elements.deck) sourceForm.elements.deck.value = shown.deck ?? "";
showKind();
draw();
setInterval(follow, EVERY_MS);
