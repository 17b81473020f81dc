// The streams of the desk: a page's data, kept open for good and its state told in the bar, and live pictures.

import { byId, say, strings } from "./dom.js";

const SILENCE_MS = 5000; // the desk ticks every second; silence means the line is dead
const RETRY_MS = 1000;
const PROBE_MS = 3000;

/**
 * Open the stream at `address` over a WebSocket: for everything else a browser opens only six connections to a
 * host, all of its pages together. `heard(piece)` takes its pieces, `ended(isBlocked, isGone)` is called once: at
 * the end, or where no stream comes. `isBlocked` tells that the desk serves it, but that something on the way lets no
 * WebSocket through, `isGone` that the desk has no such stream. Returns a function that closes it.
 */
export function openSocket(address, { opened = () => {}, heard, ended }) {
  const socket = new WebSocket(new URL(address, location.href).href.replace(/^http/, "ws"));
  let wasOpen = false;
  let isWanted = true;
  socket.binaryType = "arraybuffer";
  socket.onopen = () => { wasOpen = true; opened(); };
  socket.onmessage = ({ data }) => heard(data);
  socket.onclose = async () => {
    const status = wasOpen ? null : await statusOf(address);
    if (isWanted) ended(status === 200, status === 404);
  };
  return () => { isWanted = false; socket.close(); };
}

/** The status with which the desk answers, null where nobody answers. */
async function statusOf(address) {
  const asking = new AbortController();
  setTimeout(() => asking.abort(), PROBE_MS);
  const answer = await fetch(address, { signal: asking.signal }).catch(() => null);
  asking.abort();
  return answer?.status ?? null;
}

/** Read one piece of an event stream: { kind, data, id }. */
function message(piece) {
  const fields = { event: "message", data: [], id: "" };
  for (const line of piece.split(/\r\n|\n|\r/)) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "data") fields.data.push(value);
    else if (name) fields[name] = value;
  }
  return { kind: fields.event, data: fields.data.join("\n"), id: fields.id };
}

/** Open an event stream without a WebSocket; returns a function that closes it. */
function openEvents(address, kinds, { opened, told, ended }) {
  const source = new EventSource(address);
  source.addEventListener("open", opened);
  for (const kind of kinds) source.addEventListener(kind, ({ data, lastEventId }) => told({ kind, data, id: lastEventId }));
  source.addEventListener("error", () => { source.close(); ended(); });
  return () => source.close();
}

/**
 * Keep a stream open. `address()` returns its address for each new connection, `on` names who is told each kind of
 * message (its data and its id), and `onBreak` is called when a connection fails. The bar's `#line` tells how it
 * stands, on pages that have one. A page with `#ended` shows it once its game is over and gone from the desk, takes no
 * press any more, and asks no more; `onEnded` is called.
 */
export function keepStream(address, on, onBreak = () => {}, onEnded = () => {}) {
  let alarm = null;
  let close = null;
  const state = (name) => {
    const line = byId("line");
    if (!line) return;
    line.dataset.line = name;
    say(line, strings[name]);
  };
  const heard = () => {
    clearTimeout(alarm);
    alarm = setTimeout(ended, SILENCE_MS);
  };
  const opened = () => { state("connected"); heard(); };
  const told = ({ kind, data, id }) => {
    heard();
    if (data) on[kind]?.(JSON.parse(data), id);
  };
  const ended = () => {
    clearTimeout(alarm);
    close();
    state("lost");
    onBreak();
    setTimeout(open, RETRY_MS);
  };
  const gone = () => {
    clearTimeout(alarm);
    close();
    state("over");
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    document.querySelector("main").inert = true;
    byId("ended").hidden = false;
    onEnded();
  };
  const open = () => {
    close = openSocket(address(), {
      opened,
      heard: (piece) => told(message(piece)),
      ended: (isBlocked, isGone) => {
        if (isBlocked) close = openEvents(address(), Object.keys(on), { opened, told, ended });
        else if (isGone && byId("ended")) gone();
        else ended();
      },
    });
    heard();
  };
  open();
}
