// The stream of a page's data: kept open for good, and its state told in the bar.

import { byId, say, strings } from "./dom.js";

const SILENCE_MS = 5000; // the desk ticks every second; silence means the line is dead
const RETRY_MS = 1000;

/**
 * Keep a stream open. `address()` returns its address for each new connection, `on` names who is told each kind of
 * message (its data and its id), and `onBreak` is called when a connection fails. The bar's `#line` tells how it
 * stands, on pages that have one.
 */
export function keepStream(address, on, onBreak = () => {}) {
  let alarm = null;
  const source = new EventSource(address());
  const state = (name) => {
    const line = byId("line");
    if (!line) return;
    line.dataset.line = name;
    say(line, strings[name]);
  };
  const again = () => {
    clearTimeout(alarm);
    source.close();
    state("lost");
    setTimeout(keepStream, RETRY_MS, address, on, onBreak);
  };
  const heard = () => {
    clearTimeout(alarm);
    alarm = setTimeout(() => { onBreak(); again(); }, SILENCE_MS);
  };
  source.addEventListener("open", () => { state("connected"); heard(); });
  for (const [kind, told] of Object.entries(on)) {
    source.addEventListener(kind, (message) => { heard(); told(JSON.parse(message.data), message.lastEventId); });
  }
  source.addEventListener("error", () => {
    state("lost");
    onBreak();
    if (source.readyState === EventSource.CLOSED) again();
  });
  heard();
}
