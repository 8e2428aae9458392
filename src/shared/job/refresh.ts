import { z } from "zod";
import { count, many } from "../text.ts";

/** Rows of the cache, compared with the rows that the service delivered again. */
const changes = z.object({
  /** Rows that the cache did not have. */
  added: z.number(),
  /** Rows of the cache with another value of a variable, or with a further one. */
  changed: z.number(),
  /** Rows of the cache, or values in them, that the service no longer delivers: they stay. */
  kept: z.number(),
});
const dayChanges = changes.extend({
  stationId: z.string(),
  /** Start of the UTC day. */
  dayMs: z.number().min(-8.64e15).max(8.64e15),
});
export type DayChanges = Readonly<z.output<typeof dayChanges>>;

/** What a refresh changed. Days without a difference are not listed. */
export const refreshReport = changes.extend({
  /** By station, then by UTC day. */
  days: z.array(dayChanges).readonly(),
  /** Number of further days with differences, which are not listed. */
  moreDays: z.number(),
});
export type RefreshReport = Readonly<z.output<typeof refreshReport>>;

export const NO_CHANGES: RefreshReport = { added: 0, changed: 0, kept: 0, days: [], moreDays: 0 };

/** `12 rows added, 3 changed, 60 no longer delivered`; “no changes” if there are none. */
export function changeWords({ added, changed, kept }: Pick<RefreshReport, "added" | "changed" | "kept">): string {
  const kinds = [
    [added, "added"],
    [changed, "changed"],
    [kept, "no longer delivered"],
  ] as const;
  const [first, ...others] = kinds.filter(([n]) => n > 0);
  if (!first) return "no changes";
  return [`${many(first[0], "row")} ${first[1]}`, ...others.map(([n, kind]) => `${count(n)} ${kind}`)].join(", ");
}

/** Says that rows stay which the service no longer delivers, and why. */
export function keptSentence(kept: number): string {
  const [its, were] = kept === 1 ? ["its", "It was"] : ["their", "They were"];
  return `The service no longer delivers ${many(kept, "row")} of the cache, or some of ${its} values. ${were} kept, because an outage of the service looks the same.`;
}
