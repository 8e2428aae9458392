// A thread that hangs cannot report it, so it writes a heartbeat to shared memory.

/** Shared with the thread: number of turns of its event loop, and the id of its current request. */
export type Heartbeat = Int32Array<SharedArrayBuffer>;

const BEATS = 0;
const CURRENT_REQUEST = 1;
const NO_REQUEST = -1;

/** Interval of the thread's timer. */
const BEAT_MS = 500;

export function createHeartbeat(): Heartbeat {
  const heartbeat = new Int32Array(new SharedArrayBuffer(8));
  heartbeat[CURRENT_REQUEST] = NO_REQUEST;
  return heartbeat;
}

/** Called in the thread: signals that it is alive. */
export function startHeartbeat(heartbeat: Heartbeat): void {
  const add = (): number => Atomics.add(heartbeat, BEATS, 1);
  add();
  setInterval(add, BEAT_MS);
}

/** Called in the thread: sets the request that it works on; null for none. */
export function setCurrentRequest(heartbeat: Heartbeat, question: number | null): void {
  Atomics.store(heartbeat, CURRENT_REQUEST, question ?? NO_REQUEST);
}

export function currentRequest(heartbeat: Heartbeat): number | null {
  const question = Atomics.load(heartbeat, CURRENT_REQUEST);
  return question === NO_REQUEST ? null : question;
}

/**
 * Calls `onHang` when the heartbeat stood still for several checks in a row. Counts checks instead of time, which
 * continues while a computer sleeps.
 *
 * @returns a function that ends the watch
 */
export function watchHeartbeat(heartbeat: Heartbeat, limitMs: number, onHang: () => void): () => void {
  let [last, still] = [-1, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(heartbeat, BEATS);
    // Before the first heartbeat, the thread is still starting.
    still = now > 0 && now === last ? still + 1 : 0;
    last = now;
    if (still * BEAT_MS * 2 >= limitMs) onHang();
  }, BEAT_MS * 2);
  timer.unref();
  return () => clearInterval(timer);
}
