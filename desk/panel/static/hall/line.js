// The line to the board: the page's data whenever they change, and commands with what was refused.

import { SOON_MS } from "../ask.js";
import { byId, say, strings } from "../dom.js";
import { keepStream } from "../stream.js";

const language = document.documentElement.lang;

/** Keep the line to an address open for good; `onView(view)` is told whenever something has changed. */
export function openLine(path, onView) {
  keepStream(() => `${path}?lang=${language}`, { view: onView, tick: () => {} });
}

/** Send a command and show what was refused; returns the answer, null where there is none. */
export async function send(path, body, type = "application/json") {
  let text = strings.gone, answer = null;
  try {
    const address = new URL(path, location.href);
    address.searchParams.set("lang", language);
    const response = await fetch(address, { method: "POST", headers: { "Content-Type": type }, body, signal: AbortSignal.timeout(SOON_MS) });
    const said = await response.json();
    text = response.ok ? "" : said.error ?? said.detail;
    if (response.ok) answer = said;
  } catch {
    // the line tells by itself that it is lost
  }
  say(byId("refusal"), text);
  return answer;
}
