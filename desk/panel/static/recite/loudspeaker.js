// This browser as the loudspeaker: blocks of sound are laid ahead on the audio clock, each at its own sample,
// and the desk is told when they are heard.

const RATE = 48000;
const AHEAD_S = 0.5; // how far ahead of the ear the first block is laid
const TELL_MS = 500;
const PINGS = 7;
const LEAST_UNC_NS = 1e6;

/** The desk's clock beside this browser's: the quickest of several answers is the truest. */
async function deskClock() {
  let best = { unc_ms: Infinity, offset_ms: 0 };
  for (let ping = 0; ping < PINGS; ping += 1) {
    const asked_ms = performance.now();
    const { now_ns } = await (await fetch("/api/recite/clock", { cache: "no-store" })).json();
    const took_ms = performance.now() - asked_ms;
    if (took_ms / 2 < best.unc_ms) {
      best = { unc_ms: took_ms / 2, offset_ms: now_ns / 1e6 - (asked_ms + took_ms / 2) };
    }
  }
  return best;
}

export class Loudspeaker {
  #context = null;
  #stop = null;
  #origin = null; // { sample, at_s }: which sample of the stream is heard at which time of the audio clock
  #underruns = 0;

  /** @param onDry is told how often the sound ran dry. */
  constructor(onDry) {
    this.onDry = onDry;
  }

  get isOn() {
    return this.#context !== null;
  }

  /** Begin or end to be the loudspeaker, and return whether it is; only a press of a button may begin. */
  async turn(wanted) {
    if (wanted === this.isOn) return wanted;
    if (!wanted) {
      const context = this.#context;
      this.#context = null;
      this.#stop.abort();
      await context.close();
      return false;
    }
    this.#context = new AudioContext({ sampleRate: RATE, latencyHint: "playback" });
    this.#stop = new AbortController();
    this.#origin = null;
    this.#underruns = 0;
    const context = this.#context;
    await context.resume();
    const clock = await deskClock().catch(async (error) => {
      await context.close();
      this.#context = null;
      throw error;
    });
    this.#play(context);
    this.#tell(context, clock);
    return true;
  }

  /** Play what comes, and ask anew where the line breaks: the reading waits for a loudspeaker. */
  async #play(context) {
    while (context === this.#context) {
      await this.#follow(context).catch(() => {});
      await new Promise((resolve) => { setTimeout(resolve, TELL_MS); });
    }
  }

  async #follow(context) {
    const answer = await fetch("/api/recite/sound", { signal: this.#stop.signal, cache: "no-store" });
    if (!answer.ok) return;
    const reader = answer.body.getReader();
    let held = new Uint8Array(0);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const joined = new Uint8Array(held.length + value.length);
      joined.set(held);
      joined.set(value, held.length);
      held = this.#takeBlocks(context, joined);
    }
  }

  #takeBlocks(context, bytes) {
    let at = 0;
    while (bytes.length - at >= 8) {
      const view = new DataView(bytes.buffer, bytes.byteOffset + at);
      const length = view.getUint32(4, true);
      if (bytes.length - at < 8 + length) break;
      this.#lay(context, view.getUint32(0, true), new DataView(bytes.buffer, bytes.byteOffset + at + 8, length));
      at += 8 + length;
    }
    return bytes.slice(at);
  }

  #lay(context, sample, data) {
    const count = data.byteLength / 2;
    const buffer = context.createBuffer(1, count, RATE);
    const wave = buffer.getChannelData(0);
    for (let i = 0; i < count; i += 1) wave[i] = data.getInt16(2 * i, true) / 32768;
    let at_s = this.#origin && this.#origin.at_s + (sample - this.#origin.sample) / RATE;
    if (at_s === null || at_s < context.currentTime) {
      if (at_s !== null) this.onDry(this.#underruns += 1);
      // on a whole frame of the audio clock, so that blocks join without a seam
      at_s = Math.ceil((context.currentTime + AHEAD_S) * RATE) / RATE;
      this.#origin = { sample, at_s };
    }
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(context.destination);
    source.start(at_s);
  }

  #tell(context, clock) {
    const timer = setInterval(() => {
      if (context !== this.#context) { clearInterval(timer); return; }
      const now = context.getOutputTimestamp();
      if (!this.#origin || !now.performanceTime || now.contextTime < this.#origin.at_s) return;
      fetch("/api/recite/heard", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          sample: Math.round(this.#origin.sample + (now.contextTime - this.#origin.at_s) * RATE),
          t_ns: Math.round((clock.offset_ms + now.performanceTime) * 1e6),
          unc_ns: Math.round(clock.unc_ms * 1e6 + LEAST_UNC_NS),
          underruns: this.#underruns,
        }),
      });
    }, TELL_MS);
  }
}
