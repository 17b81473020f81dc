// The list of films: choose or drop some, and one after the other is uploaded in parts, from where it stopped the
// last time.

import { byId, fill, say, strings } from "../dom.js";

const PART = 8 * 2 ** 20; // bytes: a part that is lost costs some seconds on a slow line
const WAITS_MS = [1000, 2000, 5000, 10_000];
const LEAST_MS = 2000; // before that nobody knows how fast the line is

const language = document.documentElement.lang;
let now = null; // the upload that is under way: { id, file, stopped, request }
let queue = []; // the files after it
let count = 0; // of the files that were handed in together
let taken = []; // the addresses of their films
let refusals = [];

const keyOf = (file) => `shinpan.upload.${file.name}.${file.size}.${file.lastModified}`;

function remembered(file) {
  try {
    return localStorage.getItem(keyOf(file));
  } catch {
    return null;
  }
}

function remember(file, id) {
  try {
    if (id === null) localStorage.removeItem(keyOf(file));
    else localStorage.setItem(keyOf(file), id);
  } catch {
    // a browser that keeps nothing begins anew after a break
  }
}

async function ask(path, options = {}) {
  const answer = await fetch(`/api/films/uploads${path}?lang=${language}`, options);
  return { status: answer.status, ...(await answer.json()) };
}

const post = (path, body) => ask(path, {
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
});

/** Return the upload of a file: the one that was begun before, or a new one. */
async function uploadOf(file) {
  const id = remembered(file);
  const known = id === null ? null : await ask(`/${id}`);
  if (known !== null && known.status === 200 && known.size === file.size) return known;
  const begun = await post("", { name: file.name, size: file.size });
  if (begun.id) remember(file, begun.id);
  return begun;
}

/** Send one part; the answer is the desk's, or null where the line is broken. */
function sendPart(upload, file, offset, told) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest(); // fetch does not tell how much was sent
    now.request = request;
    request.open("PATCH", `/api/films/uploads/${upload.id}?lang=${language}`);
    request.setRequestHeader("Upload-Offset", String(offset));
    request.setRequestHeader("Content-Type", "application/offset+octet-stream");
    request.upload.addEventListener("progress", (event) => told(offset + event.loaded));
    request.addEventListener("loadend", () => {
      try {
        resolve({ status: request.status, ...JSON.parse(request.responseText) });
      } catch {
        resolve(null);
      }
    });
    request.send(file.slice(offset, offset + PART));
  });
}

function leftText(left_s) {
  if (left_s === null) return strings.measuring;
  if (left_s >= 90) return fill(strings.minutes, { n: Math.round(left_s / 60) });
  return fill(strings.seconds, { n: Math.max(1, Math.round(left_s)) });
}

function meter(file, from) {
  const began_ms = performance.now();
  return (sent) => {
    const took_ms = performance.now() - began_ms;
    const left_s = took_ms < LEAST_MS || sent <= from ? null : ((file.size - sent) / (sent - from)) * (took_ms / 1000);
    byId("upload-bar").value = sent / file.size;
    say(byId("upload-told"), fill(strings.sent, { share: Math.floor((100 * sent) / file.size), left: leftText(left_s) }));
  };
}

async function waitForLine(attempt) {
  say(byId("upload-told"), strings.again);
  await new Promise((resolve) => {
    setTimeout(resolve, WAITS_MS[Math.min(attempt, WAITS_MS.length - 1)]);
    addEventListener("online", resolve, { once: true });
  });
}

/** Take in files one after the other; the page of a single film is shown as soon as it is there. */
async function handIn(files) {
  queue.push(...files);
  count += files.length;
  if (now !== null) return;
  while (queue.length) {
    const file = queue.shift();
    const problem = await send(file);
    if (problem) refusals.push(count > 1 ? `${file.name}: ${problem}` : problem);
  }
  now = null;
  if (count === 1 && taken.length) {
    location.assign(taken[0]);
    return;
  }
  byId("upload").hidden = true;
  byId("drop").hidden = false;
  byId("file").value = "";
  say(byId("refusal"), refusals.join(" "));
  if (taken.length) await showList();
  count = 0;
  taken = [];
  refusals = [];
}

/** Show the films that are there now. */
async function showList() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  byId("films").replaceChildren(...page.getElementById("films").children);
}

/** Take one file in; returns why it could not be taken, null where it was. */
async function send(file) {
  now = { file, stopped: false, request: null };
  const mine = now;
  say(byId("refusal"), null);
  const number = count - queue.length;
  say(byId("upload-name"), count > 1 ? fill(strings.one_of, { name: file.name, n: number, count }) : file.name);
  byId("upload").hidden = false;
  byId("drop").hidden = true;
  let attempt = 0, upload = null, told = null;
  while (!mine.stopped) {
    try {
      upload = await uploadOf(file); // after a break the desk says how much of it has arrived
    } catch {
      await waitForLine(attempt++);
      continue;
    }
    if (!upload.id) return upload.error ?? upload.detail;
    told = meter(file, upload.offset);
    while (!mine.stopped) {
      told(upload.offset);
      const answer = await sendPart(upload, file, upload.offset, told);
      if (mine.stopped) break;
      if (answer?.film) {
        remember(file, null);
        taken.push(answer.film);
        return null;
      }
      if (answer?.id) {
        attempt = 0;
        upload = answer;
      } else if (answer === null || answer.refusal === "other_offset" || answer.status === 429 || answer.refusal === "goes_on_elsewhere") {
        await waitForLine(attempt++);
        break;
      } else {
        return answer.error ?? answer.detail;
      }
    }
  }
  return strings.stopped;
}

/** Stop the upload, and leave those after it. */
function stop() {
  if (now === null) return;
  refusals.push(...queue.map((file) => `${file.name}: ${strings.left}`));
  queue = [];
  now.stopped = true;
  now.request?.abort();
}

const drop = byId("drop");
byId("file").addEventListener("change", (event) => { handIn(event.target.files); });
for (const name of ["dragover", "dragenter"]) {
  drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
}
drop.addEventListener("dragleave", () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  handIn(event.dataTransfer.files);
});
byId("upload-stop").addEventListener("click", stop);
addEventListener("beforeunload", (event) => { if (now !== null && byId("upload-bar").value < 1) event.preventDefault(); });
for (const button of document.querySelectorAll("[data-drop]")) {
  button.addEventListener("click", async () => {
    const answer = await post(`/${button.dataset.drop}/delete`, {}).catch(() => ({ error: strings.failed }));
    if (answer.error) say(byId("refusal"), answer.error);
    else button.closest("li").remove();
  });
}
