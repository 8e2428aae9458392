import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet, union } from "#shared/time/rangeset.ts";
import { runEndMs, type Runs } from "#shared/time/runs.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { answeredTime } from "../analysis/requestedTimes.ts";
import type { SeriesPart } from "../store/types.ts";
import type { Session } from "./session.ts";

/** What is asked about, and the values of a response that are not in the cache yet. */
interface Asked {
  readonly range: TimeRange;
  readonly times?: Runs;
}

/**
 * Returns the time before which absences of a series can be confirmed. A receiver without a connection delivers everything
 * at once when it is back, and a variable that is computed later lags behind the others: after the newest value of a series
 * that fell silent lately, nothing is confirmed. One that has been silent for long is not expected back.
 */
export function confirmableUntil(
  session: Pick<Session, "cache" | "oldUntilMs" | "silentSinceMs" | "time">,
  { stationId, variable, intervalSeconds, raw }: Omit<SeriesPart, "range">,
  station: CatalogueStation | undefined,
  { range, times: arrived }: Asked,
): UtcMs {
  const untilMs = session.oldUntilMs();
  const lately = { startMs: session.silentSinceMs(), endMs: session.time().latestMs };
  if (range.endMs <= lately.startMs) return untilMs;
  // Means show the same time as the observations.
  const modes = [...new Set([intervalSeconds, null])].map((seconds) => ({ intervalSeconds: seconds, raw }));
  const own = modes.map((mode) =>
    lastOf(session.cache.valueTimes({ stationId, variables: [variable], ...mode, range: lately }, false)),
  );
  let newestMs = Math.max(...own, arrived ? lastOf(arrived) : -Infinity);
  if (newestMs >= untilMs) return untilMs;
  const answered = modes.reduce<RangeSet>(
    (all, mode) => union(all, answeredTime(session.cache.coverage(stationId, variable, mode))),
    [range],
  );
  const announcedMs = station?.dataLastUpdatedMs ?? -Infinity;
  // Without a value of its own, the series may be as late as its station.
  if (newestMs < lately.startMs) newestMs = announcedMs;
  const isSilent = intersect(answered, [{ ...lately, startMs: untilMs }]).length > 0 || announcedMs <= newestMs;
  return newestMs >= lately.startMs && isSilent ? Math.min(newestMs + 1, untilMs) : untilMs;
}

function lastOf(times: Runs): UtcMs {
  const last = times.list.at(-1);
  return last ? runEndMs(last) : -Infinity;
}
