// The phone's page: choose a lens, start the camera, see what the desk still misses.

import { byId, el, fill, refill, say, strings } from "../dom.js";
import { remember, remembered } from "../look.js";
import { Line } from "./line.js";
import { Sender } from "./sender.js";

const REPORT_MS = 1000;
const LOW_BATTERY = 0.2;
const KEPT_AS = "phone";

const video = byId("view");
const asked = new URLSearchParams(location.search);
let stream = null;
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
async function start() {
  say(byId("problem"), null);
  if (!navigator.mediaDevices) return say(byId("problem"), strings.insecure);
  if (typeof VideoEncoder !== "function") return say(byId("problem"), strings.no_encoder);
  say(byId("state"), strings.starting);
  keep();
  stop();
  const [width, height] = byId("size").value.split("x").map(Number);
  const lens = byId("lens").value;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: false,
      video: {
        ...(lens ? { deviceId: { exact: lens } } : { facingMode: { ideal: "environment" } }),
        width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: Number(byId("rate").value) },
      },
    });
  } catch (error) {
    const text = error.name === "NotAllowedError" ? strings.refused : fill(strings.no_camera, { why: error.message });
    say(byId("state"), null);
    return say(byId("problem"), text);
  }
  const track = stream.getVideoTracks()[0];
  track.addEventListener("ended", () => { if (stream?.getVideoTracks()[0] === track) start(); });
  video.srcObject = stream;
  await video.play().catch(() => {});
  byId("start").hidden = true;
  await listLenses(track);
  offerLocks(track);
  sender.start(track, { fps: wantedFps(), mbit: Number(byId("mbit").value), codec: asked.get("codec") });
  line.open();
  wake();
  draw();
}

function stop() {
  sender.stop();
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
}

async function listLenses(track) {
  const cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
  const used = track.getSettings().deviceId;
  byId("lens").replaceChildren(...cameras.map(({ deviceId, label }, place) => el(
    "option", { value: deviceId, selected: deviceId === used }, label || fill(strings.lens, { n: place + 1 }),
  )));
}

function offerLocks(track) {
  const can = track.getCapabilities?.() ?? {};
  byId("focus").hidden = !can.focusMode?.includes("manual");
  byId("exposure").hidden = !(can.exposureMode?.includes("manual") && can.exposureTime);
}

async function hold(constraints) {
  const track = stream?.getVideoTracks()[0];
  await track?.applyConstraints({ advanced: [constraints(track)] }).catch((error) => say(byId("problem"), error.message));
  sender.greet();
  report();
}

const holdFocus = (track) => {
  const { focusDistance } = track.getSettings();
  return { focusMode: "manual", ...(focusDistance === undefined ? {} : { focusDistance }) };
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
    autofocus: settings.focusMode === "continuous",
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
    if (document.hidden || !stream) return;
    wake();
    if (stream.getVideoTracks()[0].readyState === "ended") start();
    else if (line.isWanted) line.open();
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

byId("start").addEventListener("click", start);
byId("choice").addEventListener("change", () => { if (stream) start(); });
byId("focus").addEventListener("click", () => hold(holdFocus));
byId("exposure").addEventListener("click", () => hold(exposeShortly));
recall();
watchPhone();
setInterval(report, REPORT_MS);
