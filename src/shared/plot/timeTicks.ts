import { defined } from "#shared/defined.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";

export interface TimeTick {
  readonly timeMs: number;
  readonly label: string;
  /** The day or year of the label, at the first tick and wherever it changes; else null. */
  readonly context: string | null;
}

type Step = { readonly kind: "ms"; readonly ms: number } | { readonly kind: "months"; readonly months: number };

const MONTH_MS = 30.4 * DAY_MS;
const STEPS: readonly Step[] = [
  ...[1, 2, 5, 10, 15, 30].map((n) => ({ kind: "ms" as const, ms: n * SECOND_MS })),
  ...[1, 2, 5, 10, 15, 30].map((n) => ({ kind: "ms" as const, ms: n * MINUTE_MS })),
  ...[1, 2, 3, 6, 12].map((n) => ({ kind: "ms" as const, ms: n * HOUR_MS })),
  ...[1, 2, 4, 7, 14].map((n) => ({ kind: "ms" as const, ms: n * DAY_MS })),
  ...[1, 2, 3, 6, 12, 24, 60, 120, 240].map((months) => ({ kind: "months" as const, months })),
];

function lengthMs(step: Step): number {
  return step.kind === "ms" ? step.ms : step.months * MONTH_MS;
}

/** Returns ticks of a UTC time axis inside the range, strictly ascending, at least `spacePx` apart. */
export function timeTicks(range: TimeRange, widthPx: number, spacePx = 84): TimeTick[] {
  const span = range.endMs - range.startMs;
  const minStepMs = (span * spacePx) / Math.max(1, widthPx);
  const step = STEPS.find((s) => lengthMs(s) >= minStepMs) ?? defined(STEPS.at(-1));
  const moments = step.kind === "ms" ? equalMoments(range, step.ms) : months(range, step.months);
  let last = "";
  return moments.map((timeMs) => {
    const iso = new Date(timeMs).toISOString();
    const { label, context } = tickWords(iso, step);
    const isNew = context !== null && context !== last;
    if (isNew) last = context;
    return { timeMs, label, context: isNew ? context : null };
  });
}

function tickWords(iso: string, step: Step): { readonly label: string; readonly context: string | null } {
  if (step.kind === "months") {
    return { label: step.months >= 12 ? iso.slice(0, 4) : iso.slice(0, 7), context: null };
  }
  if (step.ms >= DAY_MS) return { label: iso.slice(5, 10), context: iso.slice(0, 4) };
  return { label: step.ms >= MINUTE_MS ? iso.slice(11, 16) : iso.slice(11, 19), context: iso.slice(0, 10) };
}

function equalMoments(range: TimeRange, stepMs: number): number[] {
  const moments: number[] = [];
  for (let n = Math.ceil(range.startMs / stepMs); n * stepMs <= range.endMs; n++) moments.push(n * stepMs);
  return moments;
}

function months(range: TimeRange, step: number): number[] {
  const first = new Date(range.startMs);
  let month = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / step) * step;
  const moments: number[] = [];
  for (;;) {
    const moment = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (moment > range.endMs) return moments;
    if (moment >= range.startMs) moments.push(moment);
    month += step;
  }
}
