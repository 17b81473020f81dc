// The list of matches: one is moved into the bin, or put back.

import { askDesk } from "./ask.js";

const problem = document.getElementById("problem");

for (const button of document.querySelectorAll("button[data-move]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { move, match } = button.dataset;
    const answer = await askDesk(`/api/matches/${encodeURIComponent(match)}/${move}`, {}, problem.dataset.failed);
    if (answer.error) {
      problem.hidden = false;
      problem.textContent = answer.error;
      button.disabled = false;
      return;
    }
    const here = new URL(location.href);
    here.searchParams.delete("deleted");
    if (move === "delete") here.searchParams.set("deleted", match);
    location.assign(here);
  });
}
