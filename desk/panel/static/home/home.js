// The home page: follows what is being played, and ends it when asked twice.

import { askDesk } from "../ask.js";
import { byId, readJson, say, strings } from "../dom.js";

const EVERY_MS = 2000;
const shown = JSON.stringify(readJson("running"));

async function look() {
  if (document.hidden || document.querySelector("button[data-sure]")) return;
  const answer = await fetch("/api/home").catch(() => null);
  if (answer?.ok && JSON.stringify(await answer.json()) !== shown) location.reload();
}

async function end(button) {
  if (!button.dataset.sure) {
    button.dataset.sure = "asked";
    button.firstChild.textContent = "unlogged" in button.dataset ? strings.end_unlogged : strings.end;
    return;
  }
  const answer = await askDesk(`/api/home/end/${button.dataset.end}`, {}, strings.failed);
  if (answer.error) say(byId("refusal"), answer.error);
  else location.reload();
}

for (const button of document.querySelectorAll("[data-end]")) button.addEventListener("click", () => end(button));
setInterval(look, EVERY_MS);
