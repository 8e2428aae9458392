const WINDOW_MS = 60_000;
const MOST_RESTARTS = 4;
const FIRST_WAIT_MS = 100;

/**
 * How long to wait before the core is started again, in milliseconds; null where it stopped so often within a minute
 * that starting it again would only go on like that.
 *
 * @param stopsMs when it stopped, this time included
 */
export function restartWaitMs(stopsMs: readonly number[], nowMs: number): number | null {
  const recent = stopsMs.filter((at) => nowMs - at < WINDOW_MS).length;
  return recent > MOST_RESTARTS ? null : FIRST_WAIT_MS * 3 ** Math.max(0, recent - 1);
}
