// What people do: buttons, keys and dialogs become commands to the desk.

import { askDesk } from "./ask.js";
import { cardChoice } from "./card_choice.js";
import { base, byId, el, fill, refill, say, strings } from "./dom.js";
import { typed } from "./keys.js";
import { shortcutsOn, toggleDark, toggleProjector } from "./look.js";

const PATIENCE_MS = 2000;
let view = null;
let arrived = () => {}; // called when the page shows a newer state
let underWay = Promise.resolve();

/** Do one thing after the other: a key that is pressed while a command is under way means the state that the
 * command leads to, not the one that happens to be drawn (pause and go on in quick succession, two undos). */
function inTurn(action) {
  underWay = underWay.then(action).catch((error) => { say(byId("refusal"), strings.failed); console.error(error); });
  return underWay;
}

/** Wait until the page shows event `seq`; a line that is down holds nobody up for long. */
async function shows(seq) {
  const until = performance.now() + PATIENCE_MS;
  while (view.seq < seq && performance.now() < until) {
    await new Promise((resolve) => { arrived = resolve; setTimeout(resolve, PATIENCE_MS); });
  }
}

/** Send a command; a refusal is shown where the buttons are. */
async function send(name, args = {}) {
  const answer = await askDesk(`${base}/api/commands`, { name, ...args }, strings.failed);
  if (!answer.error) await shows(answer.seq);
  say(byId("refusal"), answer.error);
}

const latestSeq = () => view?.latest?.seq ?? null;
const waits = () => view?.latest?.state === "proposed";

const actions = {
  start: () => send("start"),
  confirm: () => waits() && send("confirm", { ruling: latestSeq() }),
  overrule: openOverrule,
  undo: () => {
    const latest = view?.revertible[0];
    return latest ? send("revert", { event: latest.seq }) : say(byId("refusal"), strings.nothing_to_undo);
  },
  pause: () => send(view?.paused ? "resume" : "pause"),
  acceptField: () => send("accept_field"),
  more: () => byId("more-dialog").showModal(),
  reread: () => send("reread", { ruling: view?.reading ? null : latestSeq() }),
  namePoem: () => view?.takes_names && naming?.open(),
  correctPoem: () => view?.takes_names && renaming?.open(),
  appeal: (side) => latestSeq() && send("appeal", { ruling: latestSeq(), side }),
  help: () => byId("help-dialog").showModal(),
};

const isOfficial = document.documentElement.dataset.role === "operator";
const naming = isOfficial ? cardChoice("name", (poem) => inTurn(() => send("name_poem", { poem }))) : null;
const renaming = isOfficial ? cardChoice("rename", (poem) => inTurn(() => send("correct_poem", { poem }))) : null;

/** The keys 1 to 3 take a suggested poem while there is one; otherwise 1 and 2 are the players' appeals. */
function pressNumber(number) {
  const suggested = view?.suggested ?? [];
  if (suggested[number - 1]) return send("name_poem", { poem: suggested[number - 1].poem });
  const side = [null, "near", "far"][number];
  return side && !suggested.length ? actions.appeal(side) : null;
}

function openOverrule() {
  const ruling = view?.latest;
  if (!ruling) return;
  const form = byId("overrule-form");
  form.reset();
  form.dataset.ruling = ruling.seq;
  const dead = ruling.target_side === null;
  for (const radio of form.elements.taken_by) radio.disabled = dead && radio.value !== "";
  form.elements.taken_by.value = dead ? "" : ruling.taken_by ?? "";
  form.elements.faults_near.value = ruling.faults.near;
  form.elements.faults_far.value = ruling.faults.far;
  byId("overrule-dialog").showModal();
}

function overrule(event) {
  if (event.submitter?.value !== "overrule") return;
  const { taken_by, faults_near, faults_far, note } = event.target.elements;
  const args = {
    ruling: Number(event.target.dataset.ruling),
    taken_by: taken_by.value || null,
    faults: { near: Number(faults_near.value), far: Number(faults_far.value) },
    note: note.value.trim(),
  };
  inTurn(() => send("overrule", args));
}

function openStop() {
  byId("more-dialog").close();
  byId("stop-form").reset();
  allowWinners();
  byId("stop-dialog").showModal();
}

/** Whoever gives up loses, a match without a result has no winner, and at the end of the time fewer cards win. */
function allowWinners() {
  const { reason, winner } = byId("stop-form").elements;
  for (const radio of winner) {
    radio.disabled = radio.value ? reason.value === "no_result" : reason.value === "forfeit";
    if (radio.disabled) radio.checked = false;
  }
  byId("stop-counts").hidden = !view.is_real || reason.value === "no_result";
  const left = view.sides.near.count - view.sides.far.count;
  if (reason.value === "no_result") [...winner].at(-1).checked = true; // Chromium sets no radio by an empty value
  else if (reason.value === "time" && left) winner.value = left < 0 ? "near" : "far";
}

function stopMatch(event) {
  const { reason, winner } = event.target.elements;
  if (event.submitter?.value === "stop") inTurn(() => send("stop_match", { reason: reason.value, winner: winner.value || null }));
}

/** Bring the buttons in line with the match. */
export function drawControls(latestView) {
  view = latestView;
  arrived();
  const focused = document.activeElement;
  const show = (id, visible) => { if (byId(id)) byId(id).hidden = !visible; };
  show("start", ["set_up", "memorise"].includes(view.phase));
  show("confirm", waits());
  show("overrule", view.phase !== "over" && Boolean(view.latest) && !view.reading && !["reverted", "void"].includes(view.latest.state));
  show("accept-field", view.phase === "restore" && view.to_do.length > 0);
  show("stop-match", view.phase !== "over");
  show("reader", view.takes_names && ["joka", "poem", "restore"].includes(view.phase));
  show("asked", view.suggested.length > 0);
  show("name-poem", !view.reading?.order);
  show("correct-poem", Boolean(view.reading?.order) || ["poem", "restore"].includes(view.phase) && Boolean(view.latest));
  if (byId("suggested")) refill(byId("suggested"), view.suggested, suggestion);
  show("pause-button", !view.paused && view.phase !== "over");
  show("resume-button", view.paused);
  if (byId("undo")) {
    const [latest] = view.revertible;
    byId("undo").disabled = !latest;
    byId("undo").firstChild.textContent = latest?.kind === "revert" ? strings.redo : strings.undo;
    byId("undo").title = latest?.text ?? "";
  }
  for (const button of document.querySelectorAll(".appeal")) {
    const seat = view.sides[button.dataset.side];
    button.disabled = !view.latest || !seat.can_appeal || view.phase === "over";
    button.querySelector(".shape").textContent = seat.shape;
    button.querySelector(".text").textContent = fill(strings.appeal, { side: seat.name });
  }
  if (byId("revertible")) {
    refill(byId("revertible"), view.revertible, (event) =>
      el("li", {}, el("button", { onclick: () => closing(() => send("revert", { event: event.seq })) },
        `${event.text} (${event.seq})`)));
    if (!byId("more-dialog").open) drawPolicies();
  }
  // who works by keyboard goes on where a button has gone
  if (focused?.hidden) [...focused.parentElement.querySelectorAll("button")].find((each) => each.checkVisibility())?.focus();
}

function suggestion({ poem, kimariji, text, share }, place) {
  return el("button", { class: "primary", title: `${text} ${poem}`, onclick: () => inTurn(() => send("name_poem", { poem })) },
    el("span", { lang: "ja" }, kimariji), el("span", {}, ` ${share}`), el("kbd", {}, String(place + 1)));
}

function drawPolicies() {
  for (const select of document.querySelectorAll("[data-policy]")) select.value = view.policies[select.dataset.policy];
}

const setPolicies = () => inTurn(() => send("set_policies", Object.fromEntries(
  [...document.querySelectorAll("[data-policy]")].map((select) => [select.dataset.policy, select.value]))));

function closing(action) {
  byId("more-dialog").close();
  return inTurn(action);
}

/** Connect buttons and keys. `replay` takes the keys that move through the pictures, `turn` turns the field. */
export function startControls(replay, turn) {
  const press = (id, action) => byId(id)?.addEventListener("click", () => inTurn(action));
  for (const name of ["start", "confirm", "overrule", "undo", "more", "help"]) press(name, actions[name]);
  press("pause-button", actions.pause);
  press("resume-button", actions.pause);
  press("accept-field", actions.acceptField);
  byId("name-poem")?.addEventListener("click", actions.namePoem);
  byId("correct-poem")?.addEventListener("click", actions.correctPoem);
  byId("reread")?.addEventListener("click", () => closing(actions.reread));
  for (const select of document.querySelectorAll("[data-policy]")) select.addEventListener("change", setPolicies);
  byId("overrule-form")?.addEventListener("submit", overrule);
  byId("stop-match")?.addEventListener("click", openStop);
  byId("stop-form")?.addEventListener("change", allowWinners);
  byId("stop-form")?.addEventListener("submit", stopMatch);
  for (const button of document.querySelectorAll(".appeal")) {
    button.addEventListener("click", () => inTurn(() => actions.appeal(button.dataset.side)));
  }
  for (const button of document.querySelectorAll("[data-declare]")) {
    const { declare: what, side = null } = button.dataset;
    button.addEventListener("click", () => closing(() => {
      const card = what === "wrong_hand" ? view?.latest?.poem : null;
      return send("declare", { what, side, card });
    }));
  }

  const { role } = document.documentElement.dataset;
  const everyone = {
    " ": () => replay.toggle(), ArrowLeft: () => replay.step(-1), ArrowRight: () => replay.step(1),
    "shift+ArrowLeft": () => replay.stepTouch(-1), "shift+ArrowRight": () => replay.stepTouch(1),
    z: () => replay.toggleZoom(), v: turn, d: toggleDark, f: toggleProjector, "?": actions.help,
  };
  const officials = {
    s: actions.start, c: actions.confirm, o: actions.overrule, u: actions.undo, p: actions.pause,
    a: actions.acceptField, m: actions.more, r: actions.reread, 1: () => pressNumber(1), 2: () => pressNumber(2), 3: () => pressNumber(3),
    n: actions.namePoem, x: actions.correctPoem,
  };
  const own = { viewer: "", near: "p1", far: "p2", operator: Object.keys(officials).join("") }[role];
  const ordered = Object.fromEntries([...own].map((key) => [key, () => inTurn(officials[key])]));
  const keys = { ...everyone, ...ordered };
  document.addEventListener("keydown", typed((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat && !event.key.startsWith("Arrow")) return;
    if (event.target.closest("input, select, textarea") || document.querySelector("dialog[open]")) return;
    if (!shortcutsOn()) return;
    if (event.key === " " && event.target.closest("button, a")) return; // space presses what has the focus
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = keys[event.shiftKey && event.key.startsWith("Arrow") ? `shift+${name}` : name];
    if (!action) return;
    event.preventDefault();
    action();
  }));
}
