import { type JobSpec, jobRanges } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import { withImpliedVariables } from "#shared/service/variables.ts";
import { stepSeconds } from "../analysis/requestedTimes.ts";
import { verdicts } from "../analysis/verdict.ts";
import { requestableRange } from "../planner/missing.ts";
import type { JobOutcome } from "./job.ts";
import type { CacheReader } from "../store/index.ts";
import { epochSource } from "./cadence.ts";
import { findTargets } from "./targets.ts";

const REFUSED = "The service refuses this station for the key in use.";
const UNLISTED = "The service does not list this station for the key in use: nothing was requested.";

/** Returns the verdicts of a selection of the cache without a job, so that failures are unknown. */
export function cachedVerdicts(cache: CacheReader, spec: JobSpec): Verdict[] {
  const { fetchedAtMs, stations } = cache.catalogue();
  // The clock may have been slow when the catalogue was fetched; everything measured by then is past.
  const newestMs = stations.reduce((newest, s) => Math.max(newest, s.dataLastUpdatedMs ?? -Infinity), -Infinity);
  const nowMs = fetchedAtMs === null ? Date.now() : Math.max(fetchedAtMs, newestMs);
  return jobVerdicts({ cache }, spec, { failures: [], forbiddenIds: [], nowMs });
}

/** Returns, for each station and variable of a job, verdicts that together cover exactly its ranges. */
function jobVerdicts(
  session: { readonly cache: CacheReader },
  spec: JobSpec,
  outcome: Pick<JobOutcome, "failures" | "forbiddenIds" | "nowMs">,
): Verdict[] {
  return [...seriesVerdicts(session, spec, outcome)].flat();
}

/** Yields the same series by series: many stations over many years take seconds, and other work needs its turn. */
export function* seriesVerdicts(
  session: { readonly cache: CacheReader },
  spec: JobSpec,
  outcome: Pick<JobOutcome, "failures" | "forbiddenIds" | "nowMs">,
): Generator<Verdict[]> {
  const { cache } = session;
  const { intervalSeconds, raw } = spec;
  const targets = findTargets(session, spec.stationIds);
  const forbidden = new Set(outcome.forbiddenIds);
  for (const stationId of new Set(spec.stationIds)) {
    const station = targets.stations.get(stationId);
    const facts = {
      historicDataFromMs: station?.historicDataFromMs ?? null,
      hasNeverSent: station?.hasNeverSent ?? false,
    };
    const ranges = jobRanges(spec, stationId);
    const source = epochSource(cache, station ?? null);
    for (const variable of withImpliedVariables(spec.variables)) {
      const coverage = cache.coverage(stationId, variable, spec);
      const failures = outcome.failures.filter((f) => f.stationId === stationId && f.variables.includes(variable));
      yield ranges.flatMap((range) =>
        verdicts({
          stationId,
          variable,
          range,
          requestable: requestableRange(range, { intervalSeconds, nowMs: outcome.nowMs, ...facts }),
          coverage,
          refusal: forbidden.has(stationId) ? (station ? REFUSED : UNLISTED) : null,
          hasEverSent: !facts.hasNeverSent,
          failures,
          stepSeconds: stepSeconds(source, variable, intervalSeconds),
          areMeans: intervalSeconds !== null,
          timesIn: (part) =>
            cache.valueTimes({ stationId, variables: [variable], intervalSeconds, raw, range: part }, false),
        }),
      );
    }
  }
}
