// The Kendo page: shows the bout as it stands and sends what players and officials say.

import { byId, el, fill, readJson, say, strings } from "../dom.js";
import { startLook } from "../look.js";
import { play, startSounds } from "../table/sounds.js";
import { openReplay } from "../table/step_replay.js";
import { commandsTo, openLine, redraw, startKeys } from "../table/table.js";
import { startTurning } from "../table/turned.js";

const seat = document.documentElement.dataset.seat;
const isOperator = seat === "operator";
const labels = readJson("faces");
let view = readJson("view");
const command = commandsTo("/kendo");
let wrong = null;

const picture = (face) => (face === ""
  ? el("span", { class: "untold" }, "?", el("span", { class: "sr" }, strings.untold))
  : el("img", { src: `/kendo/faces/${face}.jpg`, alt: labels[face] ?? face, width: 63, height: 88, loading: "lazy" }));

function court(player) {
  const faces = view.court[player];
  if (!faces.length) return [el("li", { class: "soft" }, strings.bare)];
  return faces.map((face) => el("li", { "data-face": face },
    isOperator
      ? el("button", { class: "face-button", onclick: () => openCorrection(player, face) }, picture(face))
      : picture(face)));
}

function marks(player) {
  const score = el("span", { class: "ippon", "data-ippon": view.ippon[player] }, fill(strings.ippon, { n: view.ippon[player] }));
  return [score, el("span", { class: "hansoku", "data-hansoku": view.hansoku[player] }, fill(strings.hansoku, { n: view.hansoku[player] }))];
}

function openCorrection(player, face) {
  wrong = { player, face };
  byId("correct-title").textContent = fill(strings.really, { card: (labels[face] ?? face) || strings.untold });
  byId("correct-dialog").showModal();
}

function correct(right) {
  byId("correct-dialog").close();
  command({ name: "correct", player: wrong.player, wrong: wrong.face, right });
}

function drawFlags() {
  byId("flags").replaceChildren(...view.flags.map((flag) =>
    el("li", { class: flag.lies ? "flag lies" : "flag", "data-flag": flag.id, "data-row": flag.row },
      el("strong", {}, flag.what), el("p", {}, fill(strings.row, { row: flag.row })),
      el("p", { class: "soft" }, flag.text), flag.lies ? el("p", {}, flag.mend) : "")));
  byId("flags-section").hidden = view.flags.length === 0;
}

function drawNotes() {
  byId("no-notes").hidden = view.notes.length > 0;
  byId("notes").hidden = view.notes.length === 0;
  byId("notes").replaceChildren(...view.notes.map((note) =>
    el("li", { class: note.taken_back ? "taken-back" : null }, note.text,
      note.taken_back ? el("span", { class: "soft" }, ` ${strings.takenBack}`) : "",
      note.evidence === null ? "" : el("button", {
        class: "pictures", "aria-label": `${strings.pictures}: ${note.text}`, title: strings.pictures, onclick: () => openReplay(note),
      }, "▷"))));
}

/** Show a button to whoever may press it now. */
function offer(id, player) {
  const mine = player !== null && (isOperator || seat === String(player));
  byId(id).hidden = !mine;
}

function draw() {
  say(byId("sentence"), view.sentence);
  byId("shobu").hidden = !view.ippon_shobu;
  for (const player of [0, 1]) {
    const part = document.querySelector(`.side[data-player="${player}"]`);
    part.dataset.onTurn = view.to_act === player ? "yes" : "no";
    say(part.querySelector("h2"), view.names[player]);
    part.querySelector(".turn").hidden = view.to_act !== player;
    say(part.querySelector(".own"), view.to_act === player ? view.sentence : null);
    redraw(`court${player}`, view.court[player], () => part.querySelector(".cards").replaceChildren(...court(player)));
    redraw(`marks${player}`, [view.ippon[player], view.hansoku[player]], () => part.querySelector(".marks").replaceChildren(...marks(player)));
  }
  offer("pass", view.may.passes);
  offer("cede", view.may.cede);
  offer("new-deal", view.may.new_deal);
  offer("no-card", view.may.no_card);
  byId("accept").hidden = !(isOperator && view.may.accept);
  byId("undo").hidden = !isOperator;
  redraw("flags", view.flags, drawFlags);
  redraw("notes", view.notes, drawNotes);
}

const speaking = {
  pass: () => view.may.passes,
  cede: () => view.may.cede,
  new_deal: () => view.may.new_deal,
  no_card: () => view.may.no_card,
  accept: () => (view.may.accept ? view.to_act ?? 0 : null),
};
function speak(what) {
  const player = speaking[what]();
  if (player !== null) command({ name: "say", player, what });
}
const shown = (id, act) => () => { if (!byId(id).hidden) act(); };

for (const [id, what] of [["pass", "pass"], ["cede", "cede"], ["new-deal", "new_deal"], ["no-card", "no_card"], ["accept", "accept"]]) {
  byId(id).addEventListener("click", () => speak(what));
}
byId("undo").addEventListener("click", () => command({ name: "undo" }));
byId("deck").replaceChildren(...Object.keys(labels).map((face) =>
  el("li", {}, el("button", { class: "face-button", onclick: () => correct(face) }, picture(face)))));
startKeys({
  p: shown("pass", () => speak("pass")),
  c: shown("cede", () => speak("cede")),
  n: shown("new-deal", () => speak("new_deal")),
  a: shown("accept", () => speak("accept")),
  u: shown("undo", () => command({ name: "undo" })),
  v: () => turn(),
});
/** Sound what is new: the end before a fault, a point before a play. */
function sound(before) {
  if (view.winner !== null && before.winner === null) play("end");
  else if (view.flags.length > before.flags.length) play("flag");
  else if (view.ippon.join() !== before.ippon.join()) play("decide");
  else if (view.notes.length > before.notes.length) play("take");
}

startLook();
startSounds();
draw();
const turn = startTurning("kendo");
openLine("/kendo", (latest) => {
  const before = view;
  view = latest;
  draw();
  sound(before);
});
