import { z } from "zod";
import { count, many } from "../text.ts";

/** Rows of cached data that a refresh found to differ from those of the service. */
const changes = z.object({
  /** Rows that the cache did not have. */
  added: z.number(),
  /** Rows that the service no longer has, as two responses said. */
  removed: z.number(),
  /** Rows with another value of a variable. */
  changed: z.number(),
  /** Rows that stay in the cache although a response lacked them: a second one has not confirmed it yet. */
  kept: z.number(),
});
const dayChanges = changes.extend({
  stationId: z.string(),
  /** Start of the UTC day. */
  dayMs: z.number().min(-8.64e15).max(8.64e15),
});
export type DayChanges = Readonly<z.output<typeof dayChanges>>;

/** What a refresh changed. Days without a change are not listed. */
export const refreshReport = changes.extend({
  /** By station, then by UTC day. */
  days: z.array(dayChanges).readonly(),
  /** Number of further days with changes, which are not listed. */
  moreDays: z.number(),
});
export type RefreshReport = Readonly<z.output<typeof refreshReport>>;

export const NO_CHANGES: RefreshReport = { added: 0, removed: 0, changed: 0, kept: 0, days: [], moreDays: 0 };

/** `12 rows added, 3 changed`; “no changes” if there are none. */
export function changeWords({ added, removed, changed }: Pick<RefreshReport, "added" | "removed" | "changed">): string {
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
