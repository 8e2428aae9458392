// A thread that hangs answers nothing, not even that it hangs: what it writes here is read over its shoulder.

/** Shared with the thread: how often it had a moment for itself, and which question it works on. */
export type Beat = Int32Array<SharedArrayBuffer>;

const BEATS = 0;
const AT_WORK = 1;
const NOTHING = -1;

/** The thread looks up this often. */
const BEAT_MS = 500;

export function createBeat(): Beat {
  const beat = new Int32Array(new SharedArrayBuffer(8));
  beat[AT_WORK] = NOTHING;
  return beat;
}

/** In the thread: tells that it is alive, for as long as it is. */
export function keepBeating(beat: Beat): void {
  const add = (): number => Atomics.add(beat, BEATS, 1);
  add();
  setInterval(add, BEAT_MS);
}

/** In the thread: what it works on until it says something else; null for nothing. */
export function tellWork(beat: Beat, question: number | null): void {
  Atomics.store(beat, AT_WORK, question ?? NOTHING);
}

export function workOf(beat: Beat): number | null {
  const question = Atomics.load(beat, AT_WORK);
  return question === NOTHING ? null : question;
}

/**
 * Calls `onHang` when the thread did not look up for so many looks in a row. Looks are counted and not the time, which
 * goes on while a computer sleeps.
 *
 * @returns ends the watch
 */
export function watchBeat(beat: Beat, limitMs: number, onHang: () => void): () => void {
  let [last, still] = [-1, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(beat, BEATS);
    // Before the first beat it is still starting.
    still = now > 0 && now === last ? still + 1 : 0;
    last = now;
    if (still * BEAT_MS * 2 >= limitMs) onHang();
  }, BEAT_MS * 2);
  timer.unref();
  return () => clearInterval(timer);
}
