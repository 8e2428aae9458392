import { durationMs, alignInward, type TimeRange } from "#shared/time/range.ts";
import { difference, intersect, rangeSet, type RangeSet } from "#shared/time/rangeset.ts";
import { momentsOf } from "#shared/time/runs.ts";
import { DAY_MS, type UtcMs } from "#shared/time/utc.ts";
import type { Variable } from "#shared/service/variables.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import { DAY_S } from "./contradictions.ts";
import type { JobWork } from "./jobWork.ts";
import { meansRequests, type Question } from "./questionRequests.ts";

/** Longer queries of observations begin with a map of the days that have any: sparse years then cost what they hold. */
const LONG_QUERY_MS = 31 * DAY_MS;

/**
 * Asks for the daily means of long missing ranges, and records days without a value as unconfirmed absences, so that
 * their observations are not requested. The means themselves stay in the cache.
 */
export async function mapDays(work: JobWork): Promise<void> {
  const { session, spec } = work;
  if (spec.intervalSeconds !== null) return;
  const mode = { intervalSeconds: DAY_S, raw: spec.raw };
  const long = longRanges(work);
  const ended = await work.ask(meansRequests(work, long, mode));
  if (ended.state !== "finished") return;
  const nowMs = session.serverNowMs();
  const parts = long.flatMap((question) =>
    emptyDays(work, question).map((range) => ({ ...question, range, intervalSeconds: null, raw: spec.raw })),
  );
  if (parts.length === 0) return;
  work.fresh.push(...parts.map(({ stationId, range }) => ({ stationIds: [stationId], range })));
  const amend = (): void =>
    session.cache.amendCoverage(parts, (before, { range }) => {
      const fresh = difference([range], answeredTime(before)).map((part) => ({
        range: part,
        fetchedAtMs: Math.floor(nowMs),
      }));
      return { final: before.final, provisional: sorted([...before.provisional, ...fresh]) };
    });
  await session.writes.run(amend, work.signal, work.onProgress);
}

function sorted<T extends { readonly range: TimeRange }>(extents: readonly T[]): T[] {
  return extents.toSorted((a, b) => a.range.startMs - b.range.startMs);
}

/** The whole days in the missing ranges of each series, if they are long. */
function longRanges({ stillMissing, session }: JobWork): Question[] {
  const untilMs = session.oldUntilMs();
  return stillMissing().flatMap(({ id, missing }) =>
    (Object.entries(missing) as [Variable, RangeSet][]).flatMap(([variable, ranges]) =>
      ranges
        .map((range) =>
          alignInward({ ...range, endMs: Math.max(range.startMs, Math.min(range.endMs, untilMs)) }, DAY_S),
        )
        .filter((range) => durationMs(range) > LONG_QUERY_MS)
        .map((range) => ({ stationId: id, variable, range })),
    ),
  );
}

/** Days that were answered without a value. */
function emptyDays({ session, spec }: JobWork, { stationId, variable, range }: Question): RangeSet {
  const mode = { intervalSeconds: DAY_S, raw: spec.raw };
  const answered = intersect([range], answeredTime(session.cache.coverage(stationId, variable, mode)));
  const times = momentsOf(session.cache.valueTimes({ stationId, variables: [variable], range, ...mode }));
  return difference(answered, rangeSet([...times].map((startMs: UtcMs) => ({ startMs, endMs: startMs + DAY_MS }))));
}
