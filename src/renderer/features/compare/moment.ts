import { create } from "zustand";
import type { TimeRange } from "#shared/time/range.ts";

/** The moment that is read in all figures over time; apart from React's tree, since it changes with every move. */
export const useMoment = create<{ readonly momentMs: number | null }>(() => ({ momentMs: null }));

/** As fine as a screen: a key moves by one of so many parts of the range, with Shift by ten of them. */
const KEY_STEPS = 1_000;

/** Where a key puts the moment; null takes it away, undefined is a key that does nothing here. */
export function movedBy(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  momentMs: number | null,
  { startMs, endMs }: TimeRange,
): number | null | undefined {
  const stepMs = ((endMs - startMs) / KEY_STEPS) * (shiftKey ? 10 : 1);
  const fromMs = momentMs ?? (startMs + endMs) / 2;
  const clamped = (ms: number): number => Math.min(endMs - 1, Math.max(startMs, ms));
  if (key === "ArrowLeft") return clamped(fromMs - stepMs);
  if (key === "ArrowRight") return clamped(fromMs + stepMs);
  if (key === "Home") return startMs;
  if (key === "End") return endMs - 1;
  if (key === "Escape" && momentMs !== null) return null;
  return undefined;
}
