import type { Finding } from "./types.ts";

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Interpolates linearly between the two nearest ranks. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)]!;
  return below + (sorted[Math.ceil(rank)]! - below) * (rank - Math.floor(rank));
}

/** A finding with its medians: `ratio` is the factor by which we are better than the peer, null if it did not run. */
export interface Judged {
  readonly ours: number;
  readonly peers: number | null;
  readonly ratio: number | null;
  readonly verdict: "reached" | "missed" | "not judged";
}

export function judge(finding: Finding): Judged {
  const ours = median(finding.samples);
  const peers =
    finding.peer && "samples" in finding.peer && finding.peer.samples.length > 0 ? median(finding.peer.samples) : null;
  const ratio = peers === null ? null : finding.better === "more" ? ours / peers : peers / ours;
  const reached = finding.goal === null || Number.isNaN(ours) ? null : finding.goal.reached(ours, ratio);
  return { ours, peers, ratio, verdict: reached === null ? "not judged" : reached ? "reached" : "missed" };
}
