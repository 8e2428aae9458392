import type { Choice } from "../../ui/choices.tsx";
import { LIMITS } from "#shared/service/limits.ts";
import { duration } from "../../ui/text.ts";

/** Intervals that are offered; any other that a workspace holds is offered too. */
const OFFERED = [30, 60, 300, 900, 3_600, 21_600, 86_400] as const;
const NATIVE = "native";
/** The choice of an interval that is not offered. */
export const OTHER_INTERVAL = "other";

function words(seconds: number): string {
  if (seconds % 86_400 === 0) return duration(seconds) === "24 h" ? "1 day" : `${seconds / 86_400} days`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}

/** "every observation" for null, else "15 min means". */
export function intervalWords(intervalSeconds: number | null): string {
  return intervalSeconds === null ? "Every observation" : `${words(intervalSeconds)} means`;
}

export function intervalChoices(current: number | null): Choice<string>[] {
  const offered = new Set<number>(OFFERED);
  if (current !== null) offered.add(current);
  const sorted = [...offered].toSorted((a, b) => a - b);
  return [
    { value: NATIVE, label: intervalWords(null) },
    ...sorted.map((seconds) => ({ value: String(seconds), label: intervalWords(seconds) })),
    { value: OTHER_INTERVAL, label: "Other means…" },
  ];
}

export function intervalKey(intervalSeconds: number | null): string {
  return intervalSeconds === null ? NATIVE : String(intervalSeconds);
}

export function intervalOf(key: string): number | null {
  return key === NATIVE ? null : Number(key);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };
const MOST_SECONDS = 31_622_400;

/** Reads "10 min", "90 s", "2 h" or seconds alone; null where it is none of these, or none that the service takes. */
export function parseInterval(text: string): number | null {
  const [, digits, unit = ""] = /^(\d{1,8})\s*([a-z]*)$/.exec(text.trim().toLowerCase()) ?? [];
  const seconds = Number(digits) * (UNIT_SECONDS[unit] ?? Number.NaN);
  return seconds >= LIMITS.intervalSeconds.min && seconds <= MOST_SECONDS ? seconds : null;
}
