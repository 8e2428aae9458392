/** Points, or requests, per second over the last seconds, so that "time left" follows the network and not the past. */
export interface RateMeter {
  /** `total` of them have arrived by now. */
  note(total: number): void;
  /** null before there is anything to divide. */
  perSecond(): number | null;
}

const WINDOW_MS = 10_000;
const SAMPLE_MS = 200;

export function createRateMeter(monotonicMs: () => number): RateMeter {
  const samples: { atMs: number; total: number }[] = [{ atMs: monotonicMs(), total: 0 }];
  return {
    note(total) {
      const atMs = monotonicMs();
      const last = samples.at(-1)!;
      if (atMs - last.atMs < SAMPLE_MS && samples.length > 1) samples[samples.length - 1] = { atMs: last.atMs, total };
      else samples.push({ atMs, total });
      while (samples.length > 2 && samples[1]!.atMs < atMs - WINDOW_MS) samples.shift();
    },
    perSecond() {
      const first = samples[0]!;
      const last = samples.at(-1)!;
      const elapsedMs = Math.max(last.atMs, monotonicMs()) - first.atMs;
      return elapsedMs > 0 && last.total > first.total ? ((last.total - first.total) * 1000) / elapsedMs : null;
    },
  };
}
