import type { NearestValues, Snapshots } from "#shared/bridge/methods/snapshot.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { defined } from "#shared/defined.ts";
import type { Absence } from "#shared/series/gap.ts";
import type { Variable } from "#shared/service/variables.ts";
import { containsMoment } from "#shared/time/range.ts";
import { hull, rangeSet } from "#shared/time/rangeset.ts";
import { emptyRuns } from "#shared/time/runs.ts";
import { HOUR_MS, type UtcMs } from "#shared/time/utc.ts";
import { explainGaps } from "../../analysis/gaps.ts";
import { type Moments, noNearest, takeNearest } from "../../analysis/nearest.ts";
import { stepSeconds } from "../../analysis/requestedTimes.ts";
import { epochSource } from "../../sync/cadence.ts";
import { gapsBeforeRaw } from "../../sync/rawAnswers.ts";
import type { KnownFailures } from "./failures.ts";
import type { Pace } from "../pace.ts";
import { blocksOf, isResampled, storedMode } from "./selection.ts";
import type { CacheReader } from "../../store/index.ts";

interface SnapshotQuery extends Moments {
  readonly variables: readonly Variable[];
  readonly mode: ReadMode;
}

/** Number of stations to read before yielding to other work. */
const BATCH_STATIONS = 40;

/** See `snapshot.read`. The variables are scalar. */
export async function readSnapshots(cache: CacheReader, query: SnapshotQuery, pace: Pace): Promise<Snapshots> {
  const { variables, mode } = query;
  const momentsMs = [...new Set(query.momentsMs)].toSorted((a, b) => a - b);
  const sortedQuery = { ...query, momentsMs };
  const stationIds = stationsAround(cache, sortedQuery);
  const count = stationIds.length;
  const found = new Map(variables.map((v) => [v, noNearest(momentsMs.length * count)]));
  for (let from = 0; from < count; from += BATCH_STATIONS) {
    const group = stationIds.slice(from, from + BATCH_STATIONS);
    const part = isResampled(mode)
      ? await averagedNearest(cache, sortedQuery, group, pace)
      : cache.nearestEach({ ...sortedQuery, ...storedMode(mode), stationIds: group });
    for (const [variable, whole] of found) {
      const own = defined(part[variable]);
      for (let m = 0; m < momentsMs.length; m++) {
        const [start, end] = [m * group.length, (m + 1) * group.length];
        whole.timesMs.set(own.timesMs.subarray(start, end), m * count + from);
        whole.values.set(own.values.subarray(start, end), m * count + from);
      }
    }
    await pace.yieldIfDue();
  }
  return { momentsMs, stationIds, variables: Object.fromEntries(found) };
}

/** Stations with coverage around the moments: only they can have rows. */
function stationsAround(cache: CacheReader, { variables, mode, ...moments }: SnapshotQuery): string[] {
  const around = hull(windowsOf(moments));
  if (!around) return [];
  const marginMs = isResampled(mode) ? 1_000 * mode.intervalSeconds : 0;
  const range = { startMs: around.startMs - marginMs, endMs: around.endMs + marginMs };
  const coverages = cache.coverages(storedMode(mode), variables, range);
  return [...coverages].filter(([, found]) => variables.some((v) => found[v])).map(([stationId]) => stationId);
}

/** Nearest averages, which are computed first. */
async function averagedNearest(
  cache: CacheReader,
  query: SnapshotQuery,
  stationIds: readonly string[],
  pace: Pace,
): Promise<Partial<Record<Variable, NearestValues>>> {
  const found: Partial<Record<Variable, NearestValues>> = {};
  for (const variable of query.variables) {
    const nearest = noNearest(query.momentsMs.length * stationIds.length);
    found[variable] = nearest;
    for (const [station, stationId] of stationIds.entries()) {
      for (const range of windowsOf(query)) {
        for (const rows of blocksOf(cache, { ...query, range, variables: [variable] }, stationId)) {
          const column = rows.columns[variable];
          if (column?.kind !== "scalar") continue;
          const block = { timesMs: rows.timesMs, values: column.values };
          takeNearest(nearest, block, query, { station, stations: stationIds.length });
        }
        await pace.yieldIfDue();
      }
    }
  }
  return found;
}

export interface MissingQuery {
  readonly stationIds: readonly string[];
  readonly variable: Variable;
  readonly mode: ReadMode;
  readonly momentMs: UtcMs;
  readonly withinMs: number;
  /** Whether the service was just asked about this time and returned nothing for these stations. */
  readonly isAnswered?: boolean | undefined;
}

/** Finds the causes why stations have no value: the cause at the moment itself, if those around it differ. */
export async function readMissing(
  cache: CacheReader,
  { stationIds, variable, mode, momentMs, withinMs, isAnswered = false }: MissingQuery,
  failures: KnownFailures,
  pace: Pace,
): Promise<Absence[]> {
  const stored = storedMode(mode);
  const stations = new Map(cache.catalogue().stations.map((s) => [s.id, s]));
  const absences: Absence[] = [];
  // One query for all stations; a missing one was never requested.
  const widest = 2 * Math.max(withinMs, 1_000 * (mode.intervalSeconds ?? 0), HOUR_MS);
  const around = { startMs: momentMs - widest, endMs: momentMs + widest };
  const own = cache.coverages(stored, [variable], around);
  const raws = mode.raw ? null : cache.coverages({ ...stored, raw: true }, [variable], around);
  for (const stationId of stationIds) {
    const station = stations.get(stationId);
    const step = stepSeconds(epochSource(cache, station ?? null), variable, mode.intervalSeconds);
    const reachMs = Math.max(withinMs, 2_000 * step);
    const range = { startMs: momentMs - reachMs, endMs: momentMs + reachMs + 1 };
    const rawCoverage = raws?.get(stationId)?.[variable];
    const gaps = explainGaps({
      range,
      mode: stored,
      coverage: isAnswered
        ? { final: [range], provisional: [] }
        : (own.get(stationId)?.[variable] ?? { final: [], provisional: [] }),
      times: emptyRuns(),
      epochSeconds: step,
      historicDataFromMs: station?.historicDataFromMs ?? null,
      hasNeverSent: station?.hasNeverSent ?? false,
      isForbidden: failures.isForbidden(stationId),
      failed: failures.failed(stationId, variable),
      raw: rawCoverage
        ? {
            coverage: rawCoverage,
            times: cache.valueTimes({ stationId, variables: [variable], range, ...stored, raw: true }),
            newer: gapsBeforeRaw(cache, { stationId, variable, ...stored }),
          }
        : null,
    });
    const there = gaps.find((g) => containsMoment(g.range, momentMs));
    const gap = there ?? gaps[0];
    const cause = gap?.cause ?? (isAnswered ? "nothingOrFiltered" : "notRequested");
    const reason = gap && cause === "failed" ? failures.reason(stationId, variable, gap.range) : null;
    absences.push({ cause, reason });
    await pace.yieldIfDue();
  }
  return absences;
}

function windowsOf({ momentsMs, withinMs }: Moments) {
  return rangeSet(momentsMs.map((ms) => ({ startMs: ms - withinMs, endMs: ms + withinMs + 1 })));
}
