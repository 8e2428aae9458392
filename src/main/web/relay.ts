import type { MessagePort } from "node:worker_threads";
import type { WebSocket } from "ws";

/** While more than this waits for a window, nothing more is taken from it: its questions are what fills the queue. */
const FULL_BYTES = 32 << 20;
const ROOM_BYTES = 8 << 20;
/** Questions of a window that takes nothing of what waits for it; later ones are left in its own memory. */
const MOST_QUESTIONS = 16;
/** Answers to what was asked before: a window that lets so much of them wait is given up, and connects again. */
const MOST_WAITING_BYTES = 256 << 20;

/** Closing codes of RFC 6455 and its registry. */
const UNSUPPORTED = 1003;
const TOO_MUCH = 1009;
const ENGINE_STOPPED = 1012;

/**
 * Passes the frames of one window on to the core and back, as they are, until one of both is gone. A window that neither
 * answers pings nor takes what it is sent for two beats is given up: its computer sleeps, or its tunnel is cut.
 */
export function relay(socket: WebSocket, port: MessagePort, beatMs: number): void {
  let isAlive = true;
  let questions = 0;
  const outbox = createOutbox(socket, () => {
    isAlive = true;
    questions = 0;
    if (socket.isPaused && outbox.waitingBytes() < ROOM_BYTES) socket.resume();
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
    // One buffer stands for all empty messages: moved to the core, it would be gone for those of every other window.
    if (!isBinary || !(data instanceof ArrayBuffer) || data.byteLength === 0)
      return socket.close(UNSUPPORTED, "only packed messages");
    port.postMessage(new Uint8Array(data), [data]);
    questions++;
    const waiting = outbox.waitingBytes();
    if (waiting > FULL_BYTES || (waiting > 0 && questions >= MOST_QUESTIONS)) socket.pause();
  });
  socket.on("close", () => {
    clearInterval(beat);
    port.close();
  });
  // What is wrong with a socket shows in its end.
  socket.on("error", () => {});

  port.on("message", (bytes: Uint8Array) => {
    outbox.put(bytes);
    if (outbox.waitingBytes() <= MOST_WAITING_BYTES) return;
    // What a close would wait for is what is not taken.
    socket.close(TOO_MUCH, "nothing that was requested is accepted");
    socket.terminate();
  });
  port.on("close", () => socket.close(ENGINE_STOPPED, "the engine stopped"));
}

/** A piece of a message: short enough that a ping finds its way in between, and that progress shows. */
const PIECE_BYTES = 1 << 20;

interface Outbox {
  put(message: Uint8Array): void;
  /** Bytes that the window has not taken yet. */
  waitingBytes(): number;
}

/**
 * Sends messages one after the other, large ones in pieces, each piece when the one before has left this process. So a
 * window behind a slow tunnel shows as bytes that wait here, and not as memory that no one counts.
 *
 * @param onProgress called whenever a piece has left
 */
export function createOutbox(socket: WebSocket, onProgress: () => void): Outbox {
  const waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let isSending = false;

  function send(message: Uint8Array, start: number): void {
    const end = Math.min(start + PIECE_BYTES, message.length);
    const isLast = end === message.length;
    socket.send(message.subarray(start, end), { binary: true, fin: isLast }, (failed) => {
      waitingBytes -= end - start;
      if (failed) return drop();
      onProgress();
      if (isLast) next();
      else send(message, end);
    });
  }

  function next(): void {
    const message = waiting.shift();
    isSending = message !== undefined;
    if (message) send(message, 0);
  }

  function drop(): void {
    waiting.length = 0;
    waitingBytes = 0;
  }

  return {
    put(message) {
      if (socket.readyState !== socket.OPEN) return;
      waiting.push(message);
      waitingBytes += message.length;
      if (!isSending) next();
    },
    waitingBytes: () => waitingBytes,
  };
}
