// Two replays beside each other, laid onto one another at the end of the kimariji, or at the first sound.

import { base, byId, fill, readJson, say, setIcon, strings } from "./dom.js";
import { Frames } from "./frames.js";
import { startLook } from "./look.js";
import { ReplaySound } from "./replay_sound.js";

const NS_PER_MS = 1e6;
const poems = readJson("poems"); // { seq, label } of every ruling with pictures
const slider = byId("at");
const players = [...document.querySelectorAll(".beside-replay")].map((element) => ({ element, frames: null, zero_ns: 0 }));
const sound = poems.length ? new ReplaySound() : null; // of one replay: two readings at once cannot be told apart
let sounding; // the player whose sound is heard
let playing = null;

async function open(player, seq) {
  player.frames?.close();
  player.frames = player.heard = null;
  const folder = `${base}/evidence/${seq}`;
  const response = await fetch(`${folder}/manifest.json`);
  const manifest = response.ok ? await response.json() : { frames: [] };
  if (Number(player.element.querySelector("select").value) !== seq) return; // another was chosen meanwhile
  say(player.element.querySelector(".gone"), manifest.frames.length ? "" : strings.gone);
  if (!manifest.frames.length) return;
  player.frames = new Frames(folder, manifest.frames);
  player.zero_ns = manifest.marks.t_kimariji_ns ?? manifest.marks.t_poem_ns;
  player.frames.fetchFrom(0);
  player.heard = manifest.sound && { folder, told: manifest.sound };
  fit();
  chooseSound();
}

const instants = (player) => [player.frames.list[0], player.frames.list.at(-1)].map((frame) => (frame.t_ns - player.zero_ns) / NS_PER_MS);

/** Sound the first replay that has any: the left one, else the right one. */
function chooseSound() {
  sounding = players.find((player) => player.heard);
  if (sounding?.heard.told !== sound.told) sound.open(sounding?.heard.folder, sounding?.heard.told);
}

/** Let the slider span both replays. */
function fit() {
  const spans = players.filter((player) => player.frames).map(instants);
  if (!spans.length) return;
  slider.min = Math.floor(Math.min(...spans.map(([from]) => from)));
  slider.max = Math.ceil(Math.max(...spans.map(([, to]) => to)));
  show();
}

function show() {
  const t_ms = slider.valueAsNumber;
  say(byId("instant"), fill(strings.at, { t: t_ms.toFixed(0) }));
  slider.setAttribute("aria-valuetext", byId("instant").textContent);
  for (const player of players) if (player.frames) draw(player, t_ms);
}

async function draw(player, t_ms) {
  const { frames } = player;
  const number = frames.at(player.zero_ns + t_ms * NS_PER_MS);
  const canvas = player.element.querySelector("canvas");
  player.wanted = number;
  const picture = await frames.picture(number).catch(() => null);
  if (!picture?.width || frames.closed || player.wanted !== number) return;
  if (canvas.width !== picture.width || canvas.height !== picture.height) Object.assign(canvas, { width: picture.width, height: picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  canvas.dataset.index = frames.list[number].index;
}

function stop() {
  cancelAnimationFrame(playing);
  playing = null;
  sound?.stop();
  drawPlay();
}

function play() {
  if (slider.valueAsNumber >= Number(slider.max)) slider.value = slider.min;
  let before_ms = performance.now();
  let at_ms = slider.valueAsNumber;
  const advance = (now_ms) => {
    at_ms += (now_ms - before_ms) * Number(byId("speed").value);
    before_ms = now_ms;
    slider.value = at_ms;
    show();
    if (sounding) sound.follow(sounding.zero_ns + at_ms * NS_PER_MS, Number(byId("speed").value));
    playing = at_ms < Number(slider.max) ? requestAnimationFrame(advance) : null;
    if (!playing) stop();
  };
  playing = requestAnimationFrame(advance);
  drawPlay();
}

function drawPlay() {
  setIcon(byId("play"), playing ? "stop" : "play");
  byId("play").setAttribute("aria-pressed", String(playing !== null));
  byId("play").querySelector(".sr").textContent = playing ? strings.stop : strings.play;
}

const asked = new URLSearchParams(location.search).getAll("poem").map(Number);
for (const [place, player] of players.entries()) {
  const select = player.element.querySelector("select");
  const wanted = asked.find((seq, order) => order === place && poems.some((poem) => poem.seq === seq));
  select.value = wanted ?? poems[Math.min(place, poems.length - 1)]?.seq;
  select.addEventListener("change", () => { stop(); open(player, Number(select.value)); });
  if (poems.length) open(player, Number(select.value));
}
slider.addEventListener("input", () => { stop(); show(); });
byId("play").addEventListener("click", () => (playing ? stop() : play()));
startLook();
