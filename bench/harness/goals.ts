import type { Goal } from "./types.ts";

export function atLeast(bound: number, unit: string): Goal {
  return { text: `≥ ${bound.toLocaleString("en-US")} ${unit}`, reached: (ours) => ours >= bound };
}

export function atMost(bound: number, unit: string): Goal {
  return { text: `≤ ${bound.toLocaleString("en-US")} ${unit}`, reached: (ours) => ours <= bound };
}

/** Better than the peer by at least this factor; not judged if the peer did not run. */
export function timesPeer(factor: number): Goal {
  return { text: `≥ ${factor} × peer`, reached: (_, ratio) => (ratio === null ? null : ratio >= factor) };
}
