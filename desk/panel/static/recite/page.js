// The page of the reading: shows what may be shown, and tells the reciter what to do.

import { askDesk } from "../ask.js";
import { byId, el, fill, readJson, refill, say, strings } from "../dom.js";
import { typed } from "../keys.js";
import { keepStream } from "../stream.js";
import { Loudspeaker } from "./loudspeaker.js";

const language = document.documentElement.lang;
const KEYS = { Enter: "go", " ": "go", r: "repeat", b: "rewind", s: "skip", h: "stop_after_half", a: "again" };

let state = "";
let isUnheard = false;
const speaker = new Loudspeaker((dry) => say(byId("refusal"), dry ? fill(strings.speakerOff, { n: dry }) : ""));

const ruby = ([text, kana]) => (kana ? el("ruby", {}, text, el("rt", {}, kana)) : text);
const line = (poem) => poem.ku.map((ku) => ku.map(([text]) => text).join("")).join(" ");
const number = (poem) => fill(strings.number, poem);

function show(view) {
  state = view.state;
  isUnheard = view.is_unheard;
  say(byId("state"), view.state_text);
  say(byId("problem"), view.problem);
  byId("progress").value = view.steps ? view.step / view.steps : 0;
  say(byId("count"), view.read.length ? fill(strings.count, { n: view.read.length, m: view.poems }) : "");
  const left = view.left_s;
  say(byId("left"), left === null ? "" : fill(strings.left, {
    minutes: Math.floor(left / 60), seconds: String(left % 60).padStart(2, "0"),
  }));
  byId("pause").hidden = state === "paused";
  byId("resume").hidden = state !== "paused";
  byId("again").hidden = state !== "ended";
  byId("loudspeaker").hidden = !view.streamed;
  if (document.activeElement !== byId("volume")) byId("volume").value = Math.round(view.volume * 100);
  refill(byId("poem"), view.poem ? view.poem.ku : [], (ku) => el("span", {}, ...ku.map(ruby)));
  say(byId("poem-number"), view.poem ? number(view.poem) : "");
  refill(byId("changes"), view.changes_text, (text) => el("li", {}, text));
  refill(byId("history"), view.history, (poem) => el("li", { value: poem.number }, line(poem)));
}

async function beLoudspeaker(wanted) {
  const on = await speaker.turn(wanted).catch(() => {
    say(byId("refusal"), strings.lost);
    return false;
  });
  byId("loudspeaker").setAttribute("aria-pressed", String(on));
}

async function act(name, value = 0) {
  // a browser plays sound only after a press: where nobody plays it, the first one makes this device the loudspeaker
  if (isUnheard && !speaker.isOn) await beLoudspeaker(true);
  const answer = await askDesk("/api/recite/acts", { name, value }, strings.lost);
  say(byId("refusal"), answer.error);
}

for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => act(button.dataset.act));
}
byId("volume").addEventListener("change", (event) => act("volume", event.target.value / 100));
byId("loudspeaker").addEventListener("click", () => beLoudspeaker(!speaker.isOn));
addEventListener("keydown", typed((event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, input, a")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const name = key === "p" ? (state === "paused" ? "resume" : "pause") : KEYS[key];
  if (!name || byId("controls").hidden) return;
  event.preventDefault();
  act(name);
}));

show(readJson("view"));
keepStream(() => `/api/recite/events?lang=${language}`, { view: show }, () => say(byId("problem"), strings.lost), () => {
  say(byId("problem"), "");
  beLoudspeaker(false);
});
