/** The chunks of a body between the socket and the reader. */
interface BodyQueue {
  readonly body: AsyncIterable<Uint8Array>;
  /** Adds a chunk from the socket; returns false if the socket should pause until `onDrain` is called. */
  push(chunk: Uint8Array): boolean;
  end(): void;
  fail(reason: unknown): void;
}

/** Queued bytes above which the socket should pause. */
const HIGH_WATER_BYTES = 512 * 1024;

/**
 * Creates a queue without the overhead of a stream: no chunk is copied or joined with another, which matters when a
 * million rows arrive in less than a second.
 *
 * @param onDrain called when a full queue is empty again
 * @param onCancel called when the reader stops before the end
 */
export function createBodyQueue(onDrain: () => void, onCancel: () => void): BodyQueue {
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
        for (const chunk of taken) {
          bytes -= chunk.length;
          yield chunk;
        }
        if (queue.length > 0) continue;
        if (isFull) {
          isFull = false;
          onDrain();
        } else if (ended?.failed) throw ended.reason;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      if (ended === null) onCancel();
    }
  }

  return {
    body: read(),
    push(chunk) {
      queue.push(chunk);
      bytes += chunk.length;
      isFull ||= bytes > HIGH_WATER_BYTES;
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
