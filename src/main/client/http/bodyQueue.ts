/** BodyQueue of a body between the socket that brings them and the reader who takes them. */
export interface BodyQueue {
  readonly body: AsyncIterable<Uint8Array>;
  /** From the socket; false where it should pause until `onRoom` is called. */
  put(piece: Uint8Array): boolean;
  end(): void;
  fail(reason: unknown): void;
}

/** So much may wait before the socket is asked to pause. */
const FULL_BYTES = 512 * 1024;

/**
 * A queue without the machinery of a stream: no piece is copied or joined with another, which shows where a million rows
 * arrive in less than a second.
 *
 * @param onRoom called when a full queue has been emptied
 * @param onLeft called when the reader leaves before the end
 */
export function createBodyQueue(onRoom: () => void, onLeft: () => void): BodyQueue {
  let queue: Uint8Array[] = [];
  let bytes = 0;
  let isFull = false;
  let ended: { readonly reason: unknown; readonly failed: boolean } | null = null;
  let wake: (() => void) | null = null;

  function notify(): void {
    wake?.();
    wake = null;
  }

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const taken = queue;
        queue = [];
        for (const piece of taken) {
          bytes -= piece.length;
          yield piece;
        }
        if (queue.length > 0) continue;
        if (isFull) {
          isFull = false;
          onRoom();
        } else if (ended?.failed) throw ended.reason;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      if (ended === null) onLeft();
    }
  }

  return {
    body: read(),
    put(piece) {
      queue.push(piece);
      bytes += piece.length;
      isFull ||= bytes > FULL_BYTES;
      notify();
      return !isFull;
    },
    end() {
      ended ??= { failed: false, reason: null };
      notify();
    },
    fail(reason) {
      ended ??= { failed: true, reason };
      notify();
    },
  };
}
