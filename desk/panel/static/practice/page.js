// The page of a practice: what the camera sees before the start, the last time in large, slow cards at the end.

import { askDesk } from "../ask.js";
import { byId, el, readJson, refill, say, sayAwaited, strings } from "../dom.js";
import { typed } from "../keys.js";
import { showPhone } from "../phone_door.js";
import { LivePicture } from "../live_picture.js";
import { keepStream } from "../stream.js";

const language = document.documentElement.lang;
const live = new LivePicture(byId("live"));
let view = readJson("view");

const verse = (attempt) => attempt.ku.map((ku) => ku.map(([text]) => text).join("")).join(" ");
const kimariji = (attempt) => el("span", { lang: "ja" }, attempt.kimariji);

function showLast(last) {
  byId("last").hidden = !last;
  byId("waiting").hidden = Boolean(last) || view.state === "looking" || view.state === "ended";
  if (!last) return;
  byId("last").dataset.outcome = last.outcome;
  say(byId("time"), last.time);
  say(byId("unsure"), last.unsure);
  say(byId("told"), last.text);
  say(byId("kimariji"), last.kimariji);
  say(byId("verse"), verse(last));
}

const slowRow = (attempt) => el(
  "tr", {},
  el("th", { scope: "row" }, kimariji(attempt), ` (${attempt.poem})`),
  el("td", { class: "number" }, attempt.time ?? "–"),
  el("td", {}, attempt.text),
  el("td", {}, attempt.due ? el("time", { datetime: attempt.due }, attempt.due) : strings.unknown),
);

const attemptEntry = (attempt) => el(
  "li", {},
  el("span", { class: "when" }, attempt.time ?? "–"), " ", kimariji(attempt), " ",
  el("span", { class: "soft" }, attempt.time ? "" : attempt.text),
);

const wantedEntry = (card) => el(
  "li", { "data-lies": card.lies }, card.kimariji,
  ...(card.lies ? [el("span", { class: "sr", lang: language }, ` ${strings.lies}`)] : []),
);

function shows(act) {
  const { state } = view;
  return {
    start: state === "looking",
    next: state === "reading" && view.live,
    pause: state === "reading",
    resume: state === "paused",
    end: state !== "ended",
  }[act];
}

function show(shown) {
  view = shown;
  const looking = view.state === "looking";
  say(byId("state"), view.state_text);
  say(byId("player"), view.player);
  say(byId("problem"), view.problem);
  sayAwaited(view);
  showLast(view.state === "ended" ? null : view.last);
  byId("looking").hidden = !looking;
  live.show(looking ? "/practise/live.mjpeg" : null);
  showPhone(looking ? view.phone : null);
  say(byId("cards"), view.cards_text);
  byId("proposed").hidden = !view.wanted.length;
  refill(byId("wanted"), view.wanted, wantedEntry);
  for (const button of document.querySelectorAll("[data-act]")) button.hidden = !shows(button.dataset.act);
  document.querySelector('[data-act="start"]').disabled = view.cards === 0;
  say(byId("count"), looking ? "" : view.count_text);
  byId("over").hidden = view.state !== "ended";
  byId("kept").hidden = !view.counts;
  byId("not-kept").hidden = view.counts;
  byId("slow-table").hidden = !view.slow.length;
  byId("none-slow").hidden = view.slow.length > 0;
  refill(byId("slow"), view.slow, slowRow);
  byId("earlier").hidden = !view.attempts.length;
  say(byId("median"), view.median_text);
  byId("attempts").setAttribute("start", view.attempts.length);
  refill(byId("attempts"), view.attempts, attemptEntry);
}

async function act(name) {
  if (name === "end" && view.state !== "looking" && !confirm(view.counts ? strings.end : strings.endSimulated)) return;
  const answer = await askDesk("/api/practise/acts", { name }, strings.failed);
  say(byId("refusal"), answer.error);
}

for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => act(button.dataset.act));
}
addEventListener("keydown", typed((event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, input, a")) return;
  const forward = view.state === "looking" ? "start" : "next";
  const name = { Enter: forward, " ": forward, p: view.state === "paused" ? "resume" : "pause" }[
    event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!name || !shows(name) || byId("controls").hidden) return;
  event.preventDefault();
  act(name);
}));

show(view);
keepStream(() => `/api/practise/events?lang=${language}`, { view: show }, () => say(byId("problem"), strings.lost),
  () => say(byId("problem"), ""));
