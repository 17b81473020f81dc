// The phone's page: choose a lens, start the camera, see what the desk still misses.

import { byId, el, fill, refill, say, strings } from "../dom.js";
import { remember, remembered } from "../look.js";
import { Line } from "./line.js";
import { Sender } from "./sender.js";

const REPORT_MS = 1000;
const LOW_BATTERY = 0.2;
const AGAIN_MS = 3000; // a call, another app or a lost lens may give the camera back at any time
const STILL_MS = 5000; // without a picture, in sight: the browser has lost the camera and does not say so
const KEPT_AS = "phone";

const video = byId("view");
const asked = new URLSearchParams(location.search);
let stream = null;
let wanted = false; // somebody has started the camera: from then on it comes back by itself
let starting = null; // the start that is under way
let changedMeanwhile = false;
let refused = false;
let moved = { taken: 0, at: performance.now() }; // the latest picture
let desk = null;
let state = "connecting";
let pressure = "nominal";
let battery = null;
let lock = null;
let before = { taken: 0, phone: 0, network: 0, at: performance.now() };

const line = new Line(told, (now) => {
  state = now;
  desk = null;
  if (now === "open") sender.greet();
  draw();
});
const sender = new Sender(line, video, (id) => say(byId("problem"), strings[id]));

function told(message) {
  if (message.kind === "whole") sender.whole();
  else if (message.kind === "desk") desk = message;
  draw();
}

function draw() {
  const ended = { expired: strings.expired, replaced: strings.replaced }[state];
  if (ended) say(byId("problem"), ended);
  if (!stream || ended) return;
  const sending = desk?.clock_ms !== null && desk?.clock_ms !== undefined && desk.fps !== null;
  say(byId("state"), state !== "open" || !desk ? strings.connecting
    : sending ? fill(strings.sending, { fps: desk.fps, wanted: Math.round(wantedFps()), clock: desk.clock_ms })
      : strings.measuring);
  const missing = desk?.findings?.filter(({ status }) => status === "fail" || status === "warn");
  say(byId("checks-none"), !missing ? strings.looking : missing.length ? null : strings.all_good);
  refill(byId("checks"), missing ?? [], ({ name, found, mend, status_text }) => el(
    "li", {}, el("strong", {}, name), " ", el("span", { class: "sr" }, status_text), " ", el("span", { class: "found" }, found),
    ...(mend ? [el("p", {}, mend)] : []),
  ));
  const lost = [];
  if (sender.count) lost.push(fill(strings.left_out, { n: sender.count }));
  if (desk?.dropped) lost.push(fill(strings.desk_slow, { n: desk.dropped }));
  say(byId("lost"), lost.join(" · ") || null);
}

const wantedFps = () => stream?.getVideoTracks()[0].getSettings().frameRate ?? Number(byId("rate").value);

// --- the camera ----------------------------------------------------------------------------------------------
/** Start the camera as it is chosen now; what is chosen while it starts is taken next. */
function start() {
  wanted = true;
  changedMeanwhile = true;
  starting ??= begin().finally(() => { starting = null; });
}

async function begin() {
  if (!navigator.mediaDevices) return say(byId("problem"), strings.insecure);
  if (typeof VideoEncoder !== "function") return say(byId("problem"), strings.no_encoder);
  if (byId("problem").hidden) say(byId("state"), strings.starting);
  while (changedMeanwhile) {
    changedMeanwhile = false;
    keep();
    stop();
    try {
      await open();
    } catch (error) {
      stop();
      refused = error.name === "NotAllowedError";
      const why = strings[`camera_${error.name}`] ?? fill(strings.no_camera, { why: error.message || error.name });
      if (!changedMeanwhile) say(byId("problem"), why);
      await listLenses(null);
    }
  }
  byId("start").hidden = stream !== null;
  if (!stream) return say(byId("state"), refused ? null : strings.again);
  say(byId("problem"), null);
  const track = stream.getVideoTracks()[0];
  offerLocks(track);
  sender.start(track, { fps: wantedFps(), mbit: Number(byId("mbit").value), codec: asked.get("codec") });
  moved = { taken: sender.taken, at: performance.now() };
  line.open();
  wake();
  draw();
}

async function open() {
  const [width, height] = byId("size").value.split("x").map(Number);
  const lens = byId("lens").value;
  stream = await navigator.mediaDevices.getUserMedia({
    audio: false,
    video: {
      ...(lens ? { deviceId: { exact: lens } } : { facingMode: { ideal: "environment" } }),
      width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: Number(byId("rate").value) },
    },
  });
  const track = stream.getVideoTracks()[0];
  track.addEventListener("ended", () => { if (stream?.getVideoTracks()[0] === track) start(); });
  video.srcObject = stream;
  await video.play().catch(() => {});
  await listLenses(track);
}

function stop() {
  sender.stop();
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
}

/** Start again what has stopped: a call, another app, or a browser that has lost the camera. */
function revive() {
  if (!wanted || starting || document.hidden) return;
  if (!stream) {
    if (!refused) start(); // asking again every few seconds would be a nuisance
  } else if (sender.taken !== moved.taken || !sender.track) {
    moved = { taken: sender.taken, at: performance.now() };
  } else if (performance.now() - moved.at > STILL_MS) {
    start();
  }
}

/** List the lenses; what is chosen stays in the list, even a lens that is gone. */
async function listLenses(track) {
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  if (!cameras.some(({ deviceId }) => deviceId)) return; // before it has lent its camera a browser names none
  const chosen = byId("lens").selectedOptions[0];
  const used = track ? track.getSettings().deviceId : chosen.value;
  const isListed = cameras.some(({ deviceId }) => deviceId === used);
  byId("lens").replaceChildren(...(isListed ? [] : [chosen]), ...cameras.map(({ deviceId, label }, place) => el(
    "option", { value: deviceId, selected: deviceId === used }, label || fill(strings.lens, { n: place + 1 }),
  )));
}

/** What a camera may change by itself: the warning, its mode, and the settings that it keeps when held. */
const AUTOMATIC = [
  ["autofocus", "focusMode", ["focusDistance"]],
  ["auto_exposure", "exposureMode", ["exposureTime", "iso"]],
  ["auto_white_balance", "whiteBalanceMode", ["colorTemperature"]],
];

const holdable = (track) => AUTOMATIC.filter(([, mode]) => track.getCapabilities?.()[mode]?.includes("manual"));

function offerLocks(track) {
  byId("hold").hidden = holdable(track).length === 0;
  byId("exposure").hidden = !(holdable(track).some(([name]) => name === "auto_exposure") && track.getCapabilities().exposureTime);
}

/** Ask for more; what was asked for before stays. */
async function hold(constraints) {
  const track = stream?.getVideoTracks()[0];
  if (!track) return;
  const before = track.getConstraints();
  const advanced = [{ ...before.advanced?.[0], ...constraints(track) }];
  await track.applyConstraints({ ...before, advanced }).catch((error) => say(byId("problem"), error.message));
  sender.greet();
  report();
}

const holdAll = (track) => {
  const now = track.getSettings();
  return Object.fromEntries(holdable(track).flatMap(([, mode, kept]) => [
    [mode, "manual"], ...kept.filter((name) => now[name] !== undefined).map((name) => [name, now[name]]),
  ]));
};

const exposeShortly = (track) => {
  const { min, max } = track.getCapabilities().exposureTime;
  const wishedUnits = 40; // of 100 us
  return { exposureMode: "manual", exposureTime: Math.max(min, Math.min(max, wishedUnits)) };
};

// --- how the phone is ----------------------------------------------------------------------------------------
function report() {
  if (!stream) return;
  const now = performance.now();
  const seconds = (now - before.at) / 1000;
  const { phone, network } = sender.leftOut;
  const settings = stream.getVideoTracks()[0].getSettings();
  const isSlow = sender.taken - before.taken < 0.85 * wantedFps() * seconds;
  const warnings = Object.entries({
    battery: battery && !battery.charging && battery.level < LOW_BATTERY,
    heat: pressure === "serious" || pressure === "critical",
    ...Object.fromEntries(AUTOMATIC.map(([name, mode]) => [name, !["manual", "none"].includes(settings[mode])])),
    slow_phone: !document.hidden && (phone > before.phone || isSlow),
    slow_network: network > before.network,
    hidden: document.hidden,
    clock: !sender.hasCaptureTimes,
    no_wake_lock: !lock || lock.released,
  }).filter(([, is]) => is).map(([name]) => name);
  before = { taken: sender.taken, phone, network, at: now };
  line.say({ kind: "report", warnings });
  refill(byId("warnings"), warnings, (name) => el("li", {}, strings[`warn_${name}`]));
  draw();
}

async function wake() {
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // the page says so
  }
}

function watchPhone() {
  navigator.getBattery?.().then((found) => { battery = found; }).catch(() => {});
  if (typeof PressureObserver === "function") {
    new PressureObserver((records) => { pressure = records.at(-1).state; })
      .observe("cpu", { sampleInterval: 2000 }).catch(() => {});
  }
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !wanted) return;
    moved.at = performance.now();
    if (stream?.getVideoTracks()[0].readyState === "live") {
      wake();
      if (line.isWanted) line.open();
    } else if (!starting) {
      start();
    }
  });
}

// --- choices -------------------------------------------------------------------------------------------------
function keep() {
  const choice = Object.fromEntries(["size", "rate", "mbit"].map((name) => [name, byId(name).value]));
  remember(KEPT_AS, JSON.stringify(choice));
}

function recall() {
  const kept = JSON.parse(remembered(KEPT_AS) ?? "{}");
  for (const name of ["size", "rate", "mbit"]) {
    const value = asked.get(name) ?? kept[name];
    if ([...byId(name).options].some((option) => option.value === value)) byId(name).value = value;
  }
}

byId("start").addEventListener("click", () => { say(byId("problem"), null); start(); });
byId("choice").addEventListener("change", () => { if (wanted) start(); });
byId("hold").addEventListener("click", () => hold(holdAll));
byId("exposure").addEventListener("click", () => hold(exposeShortly));
recall();
watchPhone();
setInterval(report, REPORT_MS);
setInterval(revive, AGAIN_MS);
