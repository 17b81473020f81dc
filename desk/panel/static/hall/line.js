// The line to the board: the page's data whenever they change, and commands with what was refused.

import { byId, say, strings } from "../dom.js";

const language = document.documentElement.lang;
const SILENCE_MS = 5000; // the board ticks every second

/** Keep the line to an address open for good; `onView(view)` is told whenever something has changed. */
export function openLine(path, onView) {
  let alarm = null;
  const source = new EventSource(`${path}?lang=${language}`);
  const state = (name) => {
    byId("line").dataset.line = name;
    say(byId("line"), strings[name]);
  };
  const again = () => {
    clearTimeout(alarm);
    source.close();
    state("lost");
    setTimeout(openLine, 1000, path, onView);
  };
  const heard = () => {
    clearTimeout(alarm);
    alarm = setTimeout(again, SILENCE_MS);
  };
  source.addEventListener("open", () => { state("connected"); heard(); });
  source.addEventListener("view", (message) => { heard(); onView(JSON.parse(message.data)); });
  source.addEventListener("tick", heard);
  source.addEventListener("error", () => {
    state("lost");
    if (source.readyState === EventSource.CLOSED) again();
  });
  heard();
}

/** Send a command and show what was refused; returns the answer, null where there is none. */
export async function send(path, body, type = "application/json") {
  let text = strings.gone, answer = null;
  try {
    const address = new URL(path, location.href);
    address.searchParams.set("lang", language);
    const response = await fetch(address, { method: "POST", headers: { "Content-Type": type }, body });
    const said = await response.json();
    text = response.ok ? "" : said.error;
    if (response.ok) answer = said;
  } catch {
    // the line tells by itself that it is lost
  }
  say(byId("refusal"), text);
  return answer;
}
