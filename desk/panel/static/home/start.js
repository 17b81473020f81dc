// Starting what a set-up agreed: the desk answers with the page of what has begun, or with why it cannot begin.

import { askDesk, LATE_MS } from "../ask.js";
import { byId, say, strings } from "../dom.js";

/** Ask the desk to start, and go to the page of what has begun. */
export async function start(path, wish) {
  byId("start").disabled = true;
  say(byId("refusal"), null);
  say(byId("before-start"), strings.starting);
  const answer = await askDesk(path, wish, strings.failed, LATE_MS);
  if (answer.page) {
    location.assign(answer.page);
    return;
  }
  byId("start").disabled = false;
  say(byId("before-start"), null);
  say(byId("refusal"), answer.error);
}
