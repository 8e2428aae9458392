import { type JobSpec, jobRanges } from "#shared/job/job.ts";
import { withImpliedVariables, type Variable } from "#shared/service/variables.ts";
import { intersect, type RangeSet } from "#shared/time/rangeset.ts";
import { openRanges } from "../planner/missing.ts";
import type { ServiceTime } from "../planner/serviceClock.ts";
import type { PlannedRequest, PlanStation } from "../planner/types.ts";
import { type Cadences, createCadences } from "./cadence.ts";
import type { CacheReader } from "../store/index.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Session } from "./session.ts";

/**
 * Data that another job fetched while this one runs is not requested again: two readings of a clock differ a little.
 */
const CLOCK_TOLERANCE_MS = 5_000;

/** The stations of a job in the catalogue, and the ids that it does not list: for this key they do not exist. */
export interface Targets {
  readonly stations: ReadonlyMap<string, CatalogueStation>;
  readonly unknownIds: readonly string[];
  readonly cadences: Cadences;
}

/** The cached data, and the data that a refresh compares with. */
interface Knowledge {
  readonly cache: CacheReader;
  readonly former?: CacheReader | null;
}

export function findTargets(session: Knowledge, stationIds: readonly string[]): Targets {
  const catalogue = new Map(session.cache.catalogue().stations.map((s) => [s.id, s]));
  const stations = new Map<string, CatalogueStation>();
  const unknownIds: string[] = [];
  for (const id of new Set(stationIds)) {
    const station = catalogue.get(id);
    if (station) stations.set(id, station);
    else unknownIds.push(id);
  }
  return { stations, unknownIds, cadences: createCadences(session.former ?? session.cache) };
}

interface MissingDataOptions {
  /** The service's clock at the start of the job, so that the job does not grow while it runs. */
  readonly time: Pick<ServiceTime, "latestMs" | "ageClocksMs">;
  /** Only what is missing in a request of the job. */
  readonly within?: PlannedRequest | null;
}

/**
 * Returns the missing data and the unconfirmed absences of the stations of a job, or of one of its requests.
 */
export function findMissingData(
  session: Pick<Session, "cache" | "provisionalAgeMs">,
  spec: JobSpec,
  targets: Targets,
  { time, within = null }: MissingDataOptions,
): PlanStation[] {
  const variables = withImpliedVariables(within?.variables ?? spec.variables);
  const stations: PlanStation[] = [];
  for (const id of within?.stationIds ?? targets.stations.keys()) {
    const station = targets.stations.get(id);
    if (!station) continue;
    const own = jobRanges(spec, id);
    const wanted = (ranges: RangeSet): RangeSet => {
      const parts = spec.only === undefined ? ranges : intersect(ranges, own);
      return within ? intersect(parts, [within.range]) : parts;
    };
    const missing: Partial<Record<Variable, RangeSet>> = {};
    const unconfirmed: Partial<Record<Variable, RangeSet>> = {};
    for (const variable of variables) {
      const open = openRanges(spec.range, session.cache.coverage(id, variable, spec), {
        intervalSeconds: spec.intervalSeconds,
        nowMs: time.latestMs,
        ageClocksMs: time.ageClocksMs,
        maxAgeMs: session.provisionalAgeMs + (within === null ? 0 : CLOCK_TOLERANCE_MS),
        historicDataFromMs: station.historicDataFromMs,
        hasNeverSent: station.hasNeverSent,
      });
      missing[variable] = wanted(open.missing);
      unconfirmed[variable] = wanted(open.unconfirmed);
    }
    stations.push({ id, epochSeconds: targets.cadences.of(station), missing, unconfirmed });
  }
  return stations;
}

/** Whether a station lacks nothing, and has no absences to confirm. */
export function isComplete({ missing, unconfirmed = {} }: PlanStation): boolean {
  return [missing, unconfirmed].every((ranges) => Object.values(ranges).every((own) => own.length === 0));
}
