// The match page: keeps what the desk says and redraws when it changes.

import { base, byId, readJson, say } from "./dom.js";
import { drawControls, startControls } from "./controls.js";
import { drawField, turnField } from "./field.js";
import { LivePicture } from "./live_picture.js";
import { startLook } from "./look.js";
import { Replay } from "./replay.js";
import { keepStream } from "./stream.js";
import { drawTimeline } from "./timeline.js";
import { drawSeats, drawVerdict } from "./verdict.js";

const language = document.documentElement.lang;
const replay = new Replay();
const live = new LivePicture(byId("live"), byId("camera"));
let view = readJson("view");
let picked = null; // an earlier poem that somebody looks at
let turned = false;
let lastId = `${view.match}.${view.seq}`; // the latest event of the log that this page has seen
let clock = null; // the match clock at the latest tick, and this browser's clock then

function draw() {
  const poem = picked ?? view.latest;
  drawSeats(view);
  drawField(view);
  drawVerdict(view, poem, picked !== null);
  drawTimeline(view, poem?.seq ?? null, pick);
  drawControls(view);
  drawTimer();
  // while the cards are laid out; afterwards the line is not worth its cost
  live.show(["set_up", "memorise"].includes(view.phase) ? `${base}/preview.mjpeg` : null);
  replay.show(poem); // the last ruling's pictures stay while the next poem is read
  document.documentElement.dataset.seq = view.seq;
}

async function pick(seq) {
  if (seq === view.latest?.seq) {
    picked = null;
  } else {
    const response = await fetch(`${base}/api/poems/${seq}?lang=${language}`);
    picked = response.ok ? await response.json() : null;
  }
  draw();
}

function turn() {
  turned = !turned;
  document.body.classList.toggle("turned", turned);
  turnField(turned, view);
}

function drawTimer() {
  const timer = byId("timer");
  timer.hidden = view.memorise_ends_ns === null || clock === null;
  if (timer.hidden) return;
  const now_ns = clock.now_ns + (performance.now() - clock.heard_ms) * 1e6;
  const left_s = Math.max(0, Math.ceil((view.memorise_ends_ns - now_ns) / 1e9));
  timer.textContent = `${Math.floor(left_s / 60)}:${String(left_s % 60).padStart(2, "0")}`;
}

/** Show how the link to the hall stands, where the match is played in one. */
function showHall(hall) {
  const link = byId("hall");
  link.hidden = !hall;
  if (!hall) return;
  link.dataset.state = hall.state;
  link.title = hall.title;
  say(link, hall.text);
}

keepStream(() => `${base}/api/events?${new URLSearchParams({ lang: language, after: lastId })}`, {
  view(latest) {
    if (latest.match !== view.match || latest.latest?.seq !== view.latest?.seq) picked = null;
    view = latest;
    draw();
  },
  log(events, id) {
    lastId = id;
    for (const event of events) document.dispatchEvent(new CustomEvent("shinpan:event", { detail: event }));
  },
  tick(health) {
    clock = { now_ns: health.now_ns, heard_ms: performance.now() };
    say(byId("fps"), health.fps);
    say(byId("dropped"), health.dropped);
    say(byId("late"), health.late);
    showHall(health.hall);
    say(byId("warnings"), health.warnings.join(" · "));
    drawTimer();
  },
}, () => {}, () => {
  live.show(null);
  byId("ended-record").href = `/matches/${encodeURIComponent(view.match)}/record`;
});

startLook();
startControls(replay, turn);
byId("turn").addEventListener("click", turn);
setInterval(drawTimer, 250);
draw();
const asked = /^#poem-(\d+)$/.exec(location.hash); // the record links to its poems
if (asked) pick(Number(asked[1]));
