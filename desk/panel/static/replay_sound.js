// The sound of a replay: in step with the pictures at their real pace; slow motion is silent.

import { byId } from "./dom.js";

const NS_PER_S = 1e9;
const APART_S = 0.08; // sound and picture that are further apart are seen to be

export class ReplaySound {
  constructor() {
    this.button = byId("sound");
    this.muted = false;
    this.button.addEventListener("click", () => {
      this.muted = !this.muted;
      this.button.setAttribute("aria-pressed", String(!this.muted));
      if (this.muted) this.stop();
    });
  }

  /** Take the sound of a bundle, as its manifest tells it; undefined where it has none. */
  open(folder, told) {
    this.close();
    this.told = told;
    this.button.hidden = byId("sound-note").hidden = !told;
    this.address = told && `${folder}/${told.file}?sha256=${told.sha256}`;
  }

  close() {
    this.stop();
    this.told = this.buffer = this.loading = null;
    this.button.hidden = byId("sound-note").hidden = true;
  }

  /** Sound what belongs to the instant that is shown, `speed` times as fast as it was. */
  follow(t_ns, speed) {
    if (!this.told || this.muted || speed !== 1) {
      this.stop();
      return;
    }
    this.context ??= new AudioContext();
    if (!this.buffer) this.loading ??= this.load(this.told).catch(() => {});
    if (this.context.state !== "running") this.context.resume().catch(() => {}); // nobody has pressed anything yet
    if (!this.buffer || this.context.state !== "running") return;
    const at_s = (t_ns - this.told.t_ns) / NS_PER_S;
    if (this.source && Math.abs(this.context.currentTime - this.began_s - at_s) < APART_S) return;
    this.start(at_s);
  }

  async load(told) {
    const response = await fetch(this.address);
    const buffer = await this.context.decodeAudioData(await response.arrayBuffer());
    if (told === this.told) this.buffer = buffer; // another replay may be open meanwhile
  }

  start(at_s) {
    this.stop();
    if (at_s >= this.buffer.duration) return;
    this.source = this.context.createBufferSource();
    this.source.buffer = this.buffer;
    this.source.connect(this.context.destination);
    this.began_s = this.context.currentTime - at_s;
    this.source.start(this.context.currentTime + Math.max(0, -at_s), Math.max(0, at_s));
  }

  stop() {
    this.source?.stop();
    this.source = null;
  }
}
