// When was a picture taken, on this page's clock (`performance.now()`)?
//
// A track's pictures carry a timestamp on a clock of its own. It runs as ours does, but counts from elsewhere.
// The page's <video> shows some of the same pictures and tells of each when it was captured, on our clock: each
// such instant is one of the timestamps and the wanted offset. A timestamp cannot lie after the moment at which
// its picture was read, which leaves one candidate, as long as pictures are read within one frame.

const KEPT = 240;
const VOTES = 5;
const BY_VIDEO_MS = 0.3; // browsers round instants to 0.1 ms
const BY_ARRIVAL_MS = 8;

export class TrackClock {
  constructor() {
    this.reset();
  }

  reset() {
    this.stamps = []; // { stamp, least }: milliseconds, and the least offset that it allows
    this.votes = [];
  }

  /** Whether instants are those of the captures, not of the arrivals. */
  get isSure() {
    return this.votes.length >= VOTES;
  }

  /** Note a picture that was read now. */
  read(stampMs, nowMs) {
    this.stamps.push({ stamp: stampMs, least: stampMs - nowMs });
    if (this.stamps.length > KEPT) this.stamps.shift();
  }

  /** Note that the video shows a picture that was captured at `captureMs`. */
  shown(captureMs) {
    const least = this.least();
    const offsets = this.stamps.map(({ stamp }) => stamp - captureMs).filter((offset) => offset >= least - 0.2);
    if (!offsets.length) return;
    this.votes.push(Math.min(...offsets));
    if (this.votes.length > KEPT) this.votes.shift();
  }

  least() {
    return Math.max(...this.stamps.map(({ least }) => least));
  }

  /** Return when a picture was taken and how sure that is, in milliseconds. */
  taken(stampMs) {
    if (!this.isSure) return [stampMs - this.least(), BY_ARRIVAL_MS];
    // where the page missed the picture that the video shows, a later one voted: its offset is too large
    const sorted = [...this.votes].sort((one, other) => one - other);
    const [low, high] = [1, 3].map((quarters) => sorted[Math.floor((quarters * sorted.length) / 4)]);
    return [stampMs - low, Math.max(BY_VIDEO_MS, high - low)];
  }
}

/** Return by how much `performance.now()` is rounded, in milliseconds. */
export function tickMs() {
  let least = 50;
  let before = performance.now();
  for (let found = 0, tries = 0; found < 5 && tries < 200000; tries += 1) {
    const now = performance.now();
    if (now > before) {
      least = Math.min(least, now - before);
      found += 1;
      before = now;
    }
  }
  return Math.max(0.005, least);
}
