import type { JobSpec } from "#shared/job/job.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { useConnection } from "../../stores/connection.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { count, many } from "../../ui/text.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { useCost } from "../fetch/useCost.ts";
import { type EstimateState, useEstimate } from "../fetch/useEstimate.ts";
import type { SkyLoad } from "./data/loader.ts";
import classes from "./satellites.module.css";
import { fetchSatellitesWords, reachWords } from "./words.ts";

/** The cost of what is missing, and whether it is on its way. */
export interface SatelliteFetch {
  readonly state: EstimateState;
  readonly isRunning: boolean;
  readonly isOffline: boolean;
  readonly words: string | null;
  start(): void;
}

export function useSatelliteFetch(connectionId: string, spec: JobSpec): SatelliteFetch {
  const state = useEstimate(connectionId, spec);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const [stationId] = spec.stationIds;
  const isRunning = useWork((s) =>
    s.jobs.some(
      (job) =>
        (job.state === "running" || job.state === "queued") &&
        job.spec.variables.includes("prn") &&
        job.spec.stationIds.includes(stationId ?? ""),
    ),
  );
  const cost = useCost(connectionId, spec);
  return {
    state,
    isRunning,
    isOffline,
    words: cost === null ? null : fetchSatellitesWords(cost, isOffline),
    start: () => void startFetch(connectionId, spec, false),
  };
}

interface NoticesProps {
  readonly load: SkyLoad & { retry(): void };
  readonly fetch: SatelliteFetch;
  readonly asked: TimeRange;
  readonly read: TimeRange;
  /** Averages are computed here, of what has numbers: satellites are shown as they were observed. */
  readonly isNativeInstead: boolean;
  readonly intervalSeconds: number | null;
  readonly onShowRaw: () => void;
}

/** Lines above the figures, each where something has to be said. */
export function Notices({ load, fetch, asked, read, isNativeInstead, intervalSeconds, onShowRaw }: NoticesProps) {
  const { sky, fault } = load;
  const problems = sky?.problems ?? [];
  return (
    <div className={classes["notices"]}>
      {fault ? <FaultNote fault={fault} action={<Button onPress={load.retry}>Try again</Button>} /> : null}
      {read.startMs > asked.startMs ? (
        <p>The range is too long to show at once; showing the last {reachWords(durationMs(read))} of it are shown.</p>
      ) : null}
      {isNativeInstead ? (
        <p>Averages are of ZTD and PWV; satellites have none, and are shown as they were observed.</p>
      ) : intervalSeconds !== null ? (
        <p>With an interval the service gives the satellites of the first observation in it, not a mean.</p>
      ) : null}
      {problems.length > 0 ? (
        <p>
          Not everything could be read: {problems.map(({ problem, count: n }) => `${count(n)} ${problem}`).join("; ")}.
          <Button look="quiet" onPress={onShowRaw}>
            Show as received
          </Button>
        </p>
      ) : null}
      {sky !== null && fetch.isRunning ? (
        <p>Satellites of this station are being fetched: they appear as they arrive.</p>
      ) : null}
      {sky !== null && sky.timesMs.length > 0 && fetch.words !== null && !fetch.isRunning ? (
        <p>
          {fetch.state.kind === "known"
            ? `${many(fetch.state.estimate.pointsToFetch, "point")} of this range ${fetch.state.estimate.pointsToFetch === 1 ? "is" : "are"} not cached.`
            : ""}
          <Button onPress={fetch.start}>{fetch.words}</Button>
        </p>
      ) : null}
      {fetch.isOffline && sky !== null && sky.timesMs.length > 0 ? (
        <p>The service is unreachable. Cached data remain available.</p>
      ) : null}
    </div>
  );
}
