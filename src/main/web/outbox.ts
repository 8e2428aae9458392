import type { WebSocket } from "ws";

/** A piece of a message: short enough that a ping finds its way in between, and that progress shows. */
const PIECE_BYTES = 1 << 20;

export interface Outbox {
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
