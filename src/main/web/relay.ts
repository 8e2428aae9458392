import type { MessagePort } from "node:worker_threads";
import type { WebSocket } from "ws";

/** While more than this waits for a window, nothing is read from it, because its requests fill the queue. */
const PAUSE_ABOVE_BYTES = 32 << 20;
const RESUME_BELOW_BYTES = 8 << 20;
/** Requests accepted from a window that does not read its responses; later ones stay in its own memory. */
const MAX_REQUESTS = 16;
/** A window with more unread responses is disconnected, and connects again. */
const MAX_WAITING_BYTES = 256 << 20;

/** Closing codes of RFC 6455 and its registry. */
const UNSUPPORTED = 1003;
const TOO_MUCH = 1009;
const CORE_STOPPED = 1012;

/**
 * Forwards the frames of one window to the core and back, unchanged, until one side closes. A window that neither answers
 * pings nor reads for two beats is disconnected: its computer sleeps, or its tunnel was cut.
 */
export function relay(socket: WebSocket, port: MessagePort, beatMs: number): void {
  let isAlive = true;
  let requests = 0;
  const outbox = new Outbox(socket, () => {
    isAlive = true;
    requests = 0;
    if (socket.isPaused && outbox.waitingBytes() < RESUME_BELOW_BYTES) socket.resume();
  });
  const beat = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, beatMs);

  socket.binaryType = "arraybuffer";
  socket.on("pong", () => {
    isAlive = true;
  });
  socket.on("message", (data, isBinary) => {
    isAlive = true;
    // All empty messages share one buffer, which must not be transferred to the core.
    if (!isBinary || !(data instanceof ArrayBuffer) || data.byteLength === 0)
      return socket.close(UNSUPPORTED, "only packed messages");
    port.postMessage(new Uint8Array(data), [data]);
    requests++;
    const waiting = outbox.waitingBytes();
    if (waiting > PAUSE_ABOVE_BYTES || (waiting > 0 && requests >= MAX_REQUESTS)) socket.pause();
  });
  socket.on("close", () => {
    clearInterval(beat);
    port.close();
  });
  // The close event follows.
  socket.on("error", () => {});

  port.on("message", (bytes: Uint8Array) => {
    outbox.put(bytes);
    if (outbox.waitingBytes() <= MAX_WAITING_BYTES) return;
    // A close alone would wait for the unread data.
    socket.close(TOO_MUCH, "nothing that was requested is accepted");
    socket.terminate();
  });
  port.on("close", () => socket.close(CORE_STOPPED, "the core stopped"));
}

/** Size of a fragment: small enough to send pings in between, and to show progress. */
const FRAGMENT_BYTES = 1 << 20;

/**
 * Sends messages one after the other, large ones in fragments, each when the previous one has left this process. So data
 * for a slow window waits here, where it is counted.
 *
 * @param onProgress called whenever a fragment has left
 */
class Outbox {
  readonly #socket: WebSocket;
  readonly #onProgress: () => void;
  readonly #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isSending = false;

  constructor(socket: WebSocket, onProgress: () => void) {
    this.#socket = socket;
    this.#onProgress = onProgress;
  }

  put(message: Uint8Array): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#waiting.push(message);
    this.#waitingBytes += message.length;
    if (!this.#isSending) this.#next();
  }

  /** Bytes that the window has not read yet. */
  waitingBytes(): number {
    return this.#waitingBytes;
  }

  #send(message: Uint8Array, start: number): void {
    const end = Math.min(start + FRAGMENT_BYTES, message.length);
    const isLast = end === message.length;
    this.#socket.send(message.subarray(start, end), { binary: true, fin: isLast }, (failed) => {
      this.#waitingBytes -= end - start;
      if (failed) return this.#drop();
      this.#onProgress();
      if (isLast) this.#next();
      else this.#send(message, end);
    });
  }

  #next(): void {
    const message = this.#waiting.shift();
    this.#isSending = message !== undefined;
    if (message) this.#send(message, 0);
  }

  #drop(): void {
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }
}
