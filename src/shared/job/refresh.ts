import { z } from "zod";
import { count, many } from "../text.ts";
import type { UtcMs } from "../time/utc.ts";

/** Rows of cached data that a refresh found to differ from those of the service. */
interface RowChanges {
  /** Rows that the cache did not have. */
  readonly added: number;
  /** Rows that the service no longer has, as two responses said. */
  readonly removed: number;
  /** Rows with another value of a variable. */
  readonly changed: number;
}

/** What a refresh changed. Days without a change are not listed. */
export interface RefreshReport extends RowChanges {
  /** Rows that stay in the cache although a response lacked them: a second one has not confirmed it yet. */
  readonly kept: number;
  /** By station, then by UTC day. */
  readonly days: readonly DayChanges[];
  /** Number of further days with changes, which are not listed. */
  readonly moreDays: number;
}

export interface DayChanges extends RowChanges {
  readonly stationId: string;
  /** Start of the UTC day. */
  readonly dayMs: UtcMs;
  readonly kept: number;
}

const counts = { added: z.number(), removed: z.number(), changed: z.number(), kept: z.number() };
/** For reports in stored records. */
export const refreshReport: z.ZodType<RefreshReport> = z.object({
  ...counts,
  days: z.array(z.object({ ...counts, stationId: z.string(), dayMs: z.number().min(-8.64e15).max(8.64e15) })),
  moreDays: z.number(),
});

export const NO_CHANGES: RefreshReport = { added: 0, removed: 0, changed: 0, kept: 0, days: [], moreDays: 0 };

/** `12 rows added, 3 changed`; “no changes” if there are none. */
export function changeWords({ added, removed, changed }: RowChanges): string {
  const kinds = [
    [added, "added"],
    [removed, "removed"],
    [changed, "changed"],
  ] as const;
  const [first, ...others] = kinds.filter(([n]) => n > 0);
  if (!first) return "no changes";
  return [`${many(first[0], "row")} ${first[1]}`, ...others.map(([n, kind]) => `${count(n)} ${kind}`)].join(", ");
}

/** A sentence about rows that wait for a second response. */
export function keptSentence(kept: number): string {
  const [has, stays] = kept === 1 ? ["is", "It stays"] : ["are", "They stay"];
  return `${many(kept, "row")} ${has} no longer at the service. ${stays} in the cache until a second response, at least five minutes later, confirms this.`;
}
