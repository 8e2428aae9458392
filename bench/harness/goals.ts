import type { Goal } from "./types.ts";

export function atLeast(bound: number, unit: string): Goal {
  return { text: `≥ ${bound.toLocaleString("en-US")} ${unit}`, reached: (ours) => ours >= bound };
}

export function atMost(bound: number, unit: string): Goal {
  return { text: `≤ ${bound.toLocaleString("en-US")} ${unit}`, reached: (ours) => ours <= bound };
}

/** At least so many times as good as the peer; not judged where the peer did not run. */
export function timesPeer(factor: number): Goal {
  return { text: `≥ ${factor} × peer`, reached: (_, ratio) => (ratio === null ? null : ratio >= factor) };
}
