// The pictures of a step at a card table, in a dialog of their own.

import { byId, say } from "../dom.js";
import { Replay } from "../replay.js";

const replay = new Replay();
byId("speed").value = "1"; // cards are laid, not struck
byId("replay-dialog").addEventListener("close", () => replay.show(null));

/** Open the pictures of a step; `evidence` is the number of the log's event that names them. */
export function openReplay({ evidence, text }) {
  say(byId("replay-title"), text);
  byId("replay-dialog").showModal();
  replay.show({ evidence: true, seq: evidence, order: evidence, touches: [] });
}
