// The links by which phones join: all of them can be drawn anew, which takes back what the old ones gave.

import { askDesk } from "./ask.js";
import { byId, say, strings } from "./dom.js";

byId("renew").addEventListener("click", async () => {
  if (!confirm(strings.sure)) return;
  const answer = await askDesk("/api/invitations/renew", {}, strings.failed);
  if (answer.error) say(byId("refusal"), answer.error);
  else location.reload();
});
