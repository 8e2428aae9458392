import { withoutStations } from "#shared/job/job.ts";
import type { Verdict } from "#shared/job/verdict.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { isComplete } from "../exports/fetchFirst.ts";
import type { Downloaded, PlannedRange, RunnerContext, ScheduleRunOptions } from "./delivery.ts";
import { REFUSED_BEFORE, specsOf, verdictsOf } from "./plan.ts";

/** What the downloads of ranges have brought, and why they ended early. */
export interface Loaded extends Pick<Downloaded, "fault" | "rows" | "verdicts"> {
  readonly loads: readonly Downloaded[];
}

interface LoadContext extends Pick<RunnerContext, "jobs">, Pick<ScheduleRunOptions, "download" | "signal"> {
  readonly connection: OpenConnection;
  /** When the run began. */
  readonly startMs: UtcMs;
}

/** Downloads what these ranges of a schedule lack. */
export async function loadRanges(
  { connection, jobs, download, signal, startMs }: LoadContext,
  together: readonly PlannedRange[],
): Promise<Loaded> {
  const { profile } = connection.session;
  const verdicts: Verdict[] = [];
  const loads: Downloaded[] = [];
  let rows = 0;
  for (const spec of specsOf(together.map(({ plan }) => plan.specs))) {
    if (signal.aborted) break;
    const refused = jobs.refused(connection, spec);
    // One download of this run has shown that nothing arrives of them: the others do not try again.
    const lost = [...profile.lostStations(startMs)].filter(([id]) => spec.stationIds.includes(id));
    const open = withoutStations(spec, [...refused, ...lost.map(([id]) => id)]);
    verdicts.push(
      ...refused.flatMap((id) => verdictsOf(id, spec, { state: "forbidden", reason: REFUSED_BEFORE })),
      ...lost.flatMap(([id, reason]) => verdictsOf(id, spec, { state: "failed", reason })),
    );
    if (open.stationIds.length === 0 || isComplete(jobs, connection, open)) continue;
    const loaded = await download(connection, open);
    loads.push(loaded);
    verdicts.push(...loaded.verdicts);
    rows += loaded.rows;
    if (loaded.fault !== null) return { fault: loaded.fault, rows, verdicts, loads };
  }
  return { fault: null, rows, verdicts, loads };
}
