import type { Choice } from "../../ui/choices.tsx";
import { duration } from "../../ui/text.ts";

/** Intervals that are offered; any other that a workspace holds is offered too. */
const OFFERED = [30, 60, 300, 900, 3_600, 21_600, 86_400] as const;
const NATIVE = "native";

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
  ];
}

export function intervalKey(intervalSeconds: number | null): string {
  return intervalSeconds === null ? NATIVE : String(intervalSeconds);
}

export function intervalOf(key: string): number | null {
  return key === NATIVE ? null : Number(key);
}
