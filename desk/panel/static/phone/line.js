// The lines to the desk: one for pictures, and one for the clock, which pictures must not hold up.

const RETRY_MS = [300, 600, 1200, 2500];
const EXPIRED = 4403;
const REPLACED = 4409;

export class Line {
  /** `told(message)` takes what the desk says, `changed(state)` how the line is: open, lost, expired, replaced. */
  constructor(told, changed) {
    this.told = told;
    this.changed = changed;
    this.socket = null;
    this.tries = 0;
    this.isWanted = false;
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Bytes that wait for the network. */
  get waiting() {
    return this.socket?.bufferedAmount ?? 0;
  }

  open() {
    this.isWanted = true;
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) return;
    const socket = new WebSocket(`${address("line")}?lang=${document.documentElement.lang}`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.tries = 0;
      this.openClock();
      this.changed("open");
    };
    socket.onmessage = ({ data }) => this.told(JSON.parse(data));
    socket.onclose = ({ code }) => {
      if (this.socket !== socket) return;
      this.clock?.close();
      if (code === EXPIRED || code === REPLACED) {
        this.isWanted = false;
        this.changed(code === EXPIRED ? "expired" : "replaced");
        return;
      }
      this.changed("lost");
      if (this.isWanted) setTimeout(() => this.open(), RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)]);
    };
    this.socket = socket;
  }

  openClock() {
    this.clock?.close();
    const clock = new WebSocket(address("clock"));
    clock.onmessage = ({ data }) => {
      const there_ms = performance.now();
      clock.send(JSON.stringify({ kind: "answer", id: JSON.parse(data).id, there_ms }));
    };
    clock.onclose = () => {
      if (this.clock === clock && this.isOpen) setTimeout(() => this.openClock(), RETRY_MS[1]);
    };
    this.clock = clock;
  }

  say(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  send(bytes) {
    if (this.isOpen) this.socket.send(bytes);
  }
}

function address(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/${path}`;
}
