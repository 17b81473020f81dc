// The line to the desk: server-sent events, resumed after the last event this page has seen.

import { base } from "./dom.js";

const SILENCE_MS = 5000; // the desk ticks every second; silence means the line is dead
const RETRY_MS = 1000;

/** Keep a line open for good. `on` has `view`, `log`, `tick` and `state` ("connected" or "lost"). */
export function openLine(language, firstId, on) {
  let lastId = firstId;
  let source = null;
  let alarm = null;

  const heard = () => {
    clearTimeout(alarm);
    alarm = setTimeout(reopen, SILENCE_MS);
  };

  function open() {
    const query = new URLSearchParams({ lang: language, after: lastId });
    source = new EventSource(`${base}/api/events?${query}`);
    source.addEventListener("open", () => { on.state("connected"); heard(); });
    source.addEventListener("view", (message) => { heard(); on.view(JSON.parse(message.data)); });
    source.addEventListener("tick", (message) => { heard(); on.tick(JSON.parse(message.data)); });
    source.addEventListener("log", (message) => {
      heard();
      lastId = message.lastEventId;
      on.log(JSON.parse(message.data), lastId);
    });
    source.addEventListener("error", () => {
      on.state("lost");
      // a browser tries again by itself unless the desk answered with an error
      if (source.readyState === EventSource.CLOSED) setTimeout(reopen, RETRY_MS);
    });
    heard();
  }

  function reopen() {
    source.close();
    on.state("lost");
    open();
  }

  open();
}
