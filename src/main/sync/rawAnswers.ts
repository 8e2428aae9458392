import { z } from "zod";
import type { ProvisionalExtent, SeriesMode } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { parseStored } from "#shared/storedJson.ts";
import { difference, intersect, rangeSet, type RangeSet, union } from "#shared/time/rangeset.ts";
import type { PlannedRequest } from "../planner/types.ts";
import type { Cache, CacheReader } from "../store/index.ts";

// Raw observations explain an unconfirmed gap only if they were received after the filtered response that lacks it: else
// that response may be the one that is incomplete. Values do not tell when they were received, so the cache keeps the
// gaps for which raw responses came later. The order of the responses decides, not a clock.

const stored = z.array(z.object({ startMs: z.number(), endMs: z.number() }));

interface SeriesName {
  readonly stationId: string;
  readonly variable: Variable;
  readonly intervalSeconds: SeriesMode["intervalSeconds"];
}

function settingOf({ stationId, variable, intervalSeconds }: SeriesName): string {
  return `gapsBeforeRaw ${intervalSeconds ?? "native"} ${variable} ${stationId}`;
}

/** Records that a response arrives: before a filtered one is stored, and after a raw one was. */
export function noteOrder(cache: Cache, { stationIds, variables, intervalSeconds, range, raw }: PlannedRequest): void {
  for (const stationId of stationIds) {
    for (const variable of variables) {
      const series = { stationId, variable, intervalSeconds };
      const before = gapsBeforeRaw(cache, series);
      const open = (): RangeSet => unconfirmed(cache.coverage(stationId, variable, { intervalSeconds, raw: false }));
      const after = raw ? union(before, intersect([range], open())) : difference(before, [range]);
      const text = JSON.stringify(after);
      if (text !== JSON.stringify(before)) cache.setSetting(settingOf(series), text);
    }
  }
}

/** Returns the ranges of a filtered series whose gaps were found before raw data of their time arrived. */
export function gapsBeforeRaw(cache: Pick<CacheReader, "setting">, series: SeriesName): RangeSet {
  return parseStored(stored, cache.setting(settingOf(series))) ?? [];
}

function unconfirmed({ provisional }: { readonly provisional: readonly ProvisionalExtent[] }): RangeSet {
  return rangeSet(provisional.map((extent) => extent.range));
}
