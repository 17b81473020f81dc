// Encodes a track's pictures and sends each with the instant it was taken.

import { tickMs, TrackClock } from "./track_clock.js";

const HEAD_BYTES = 20;
const MOST_QUEUED = 3; // pictures in the encoder: more only grow old there
const HELD_UP_S = 0.25; // of pictures may wait for the network
const WAYS = [
  ["h264", "avc1.640028"],
  ["h264", "avc1.4d0028"],
  ["h264", "avc1.42e028"],
  ["vp8", "vp8"],
  ["vp9", "vp09.00.40.08"],
];

export class Sender {
  /** `failed(id)` is called where the pictures cannot be encoded. */
  constructor(line, video, failed) {
    this.line = line;
    this.failed = failed;
    this.video = video;
    this.clock = new TrackClock();
    this.tick = tickMs();
    this.leftOut = { phone: 0, network: 0 };
    this.taken = 0;
    this.track = null;
    this.encoder = null;
    this.hello = null;
    this.wantsWhole = true;
    this.instants = new Map();
  }

  get count() {
    return this.leftOut.phone + this.leftOut.network;
  }

  /** Begin to send a track. `wish` has fps, mbit, and codec where only one will do. */
  start(track, wish) {
    this.stop();
    this.track = track;
    this.wish = wish;
    this.clock.reset();
    if (typeof MediaStreamTrackProcessor === "function") this.pump(track);
    this.follow(track);
  }

  stop() {
    this.track = null;
    if (this.encoder?.state !== "closed") this.encoder?.close();
    this.encoder = null;
    this.hello = null;
    this.instants.clear();
  }

  /** Say again what will come, on a line that is new, and begin with a whole picture. */
  greet() {
    this.wantsWhole = true;
    if (this.hello) this.line.say({ ...this.hello, exposure_ms: this.exposureMs() });
  }

  whole() {
    this.wantsWhole = true;
  }

  async pump(track) {
    const reader = new MediaStreamTrackProcessor({ track, maxBufferSize: 8 }).readable.getReader();
    while (this.track === track) {
      const { value: frame, done } = await reader.read();
      if (done) break;
      this.clock.read(frame.timestamp / 1000, performance.now());
      await this.take(frame, () => this.clock.taken(frame.timestamp / 1000));
    }
    reader.cancel().catch(() => {});
  }

  /** Follow what the video shows: for the clock, or for the pictures themselves where no track hands them out. */
  follow(track) {
    if (typeof this.video.requestVideoFrameCallback !== "function") return;
    const isSource = typeof MediaStreamTrackProcessor !== "function";
    this.video.requestVideoFrameCallback((now, { captureTime }) => {
      if (this.track !== track) return;
      if (!isSource) {
        if (captureTime !== undefined) this.clock.shown(captureTime);
      } else {
        const takenMs = captureTime ?? now;
        const frame = new VideoFrame(this.video, { timestamp: Math.round(takenMs * 1000) });
        this.isTold = captureTime !== undefined;
        this.take(frame, () => [takenMs, this.isTold ? 1 : 1000 / this.wish.fps]);
      }
      this.follow(track);
    });
  }

  get hasCaptureTimes() {
    return typeof MediaStreamTrackProcessor === "function" ? this.clock.isSure : this.isTold === true;
  }

  async take(frame, instant) {
    this.taken += 1;
    try {
      await this.fit(frame);
      if (!this.encoder || !this.line.isOpen) return;
      if (this.encoder.encodeQueueSize >= MOST_QUEUED) {
        this.leftOut.phone += 1;
      } else if (this.line.waiting > HELD_UP_S * this.wish.mbit * 125000 + 65536) {
        this.leftOut.network += 1;
      } else {
        this.instants.set(frame.timestamp, instant());
        this.encoder.encode(frame, { keyFrame: this.wantsWhole });
        this.wantsWhole = false;
      }
    } finally {
      frame.close();
    }
  }

  /** Open an encoder that fits a picture: at first, and when the phone was turned. */
  async fit(frame) {
    const { width, height } = frame.visibleRect;
    const turned = frame.rotation ?? 0;
    const shape = `${width}x${height}/${turned}`;
    if (this.encoder?.state === "configured" && shape === this.shape) return;
    this.shape = shape;
    const fps = this.track?.getSettings().frameRate ?? this.wish.fps;
    const found = await configuration(width & ~1, height & ~1, fps, this.wish);
    if (!found) {
      this.stop();
      this.failed("no_encoder");
      return;
    }
    const [codec, config] = found;
    if (this.encoder && this.encoder.state !== "closed") this.encoder.close();
    this.instants.clear();
    const encoder = new VideoEncoder({
      output: (chunk) => this.put(chunk),
      error: () => { if (this.encoder === encoder) this.encoder = null; }, // the next picture opens another
    });
    encoder.configure(config);
    this.encoder = encoder;
    this.hello = {
      kind: "hello", codec, width: config.width, height: config.height, fps, turned_deg: turned, tick_ms: this.tick,
    };
    this.greet();
  }

  put(chunk) {
    const instant = this.instants.get(chunk.timestamp);
    this.instants.delete(chunk.timestamp);
    if (!instant) return;
    const bytes = new ArrayBuffer(HEAD_BYTES + chunk.byteLength);
    const head = new DataView(bytes);
    head.setUint8(0, 1);
    head.setUint8(1, chunk.type === "key" ? 1 : 0);
    head.setUint32(4, this.count, true);
    head.setFloat64(8, instant[0], true);
    head.setFloat32(16, instant[1], true);
    chunk.copyTo(new Uint8Array(bytes, HEAD_BYTES));
    this.line.send(bytes);
  }

  exposureMs() {
    const { exposureMode, exposureTime } = this.track?.getSettings() ?? {};
    return exposureMode === "manual" && exposureTime > 0 ? exposureTime / 10 : null; // in units of 100 us
  }
}

async function configuration(width, height, fps, wish) {
  for (const hardwareAcceleration of ["prefer-hardware", "no-preference"]) {
    for (const [name, codec] of WAYS) {
      if (wish.codec && wish.codec !== name) continue;
      const config = {
        codec, width, height, hardwareAcceleration, framerate: fps, bitrate: wish.mbit * 1e6, latencyMode: "realtime",
        ...(name === "h264" ? { avc: { format: "annexb" } } : {}),
      };
      const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
      if (supported) return [name, config];
    }
  }
  return null;
}
