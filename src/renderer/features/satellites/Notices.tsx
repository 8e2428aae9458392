import type { JobSpec } from "#shared/job/job.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { useConnection } from "../../stores/connection.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { problemWords } from "#shared/satellites/problems.ts";
import { many } from "../../ui/text.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { type EstimateState, useCost, useEstimate } from "../fetch/useEstimate.ts";
import type { SkyLoad } from "./data/loader.ts";
import classes from "./satellites.module.css";
import { fetchSatellitesWords, lengthWords } from "./words.ts";

/** The cost of missing satellite data, and whether a download is running. */
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
    start: () => void startFetch(connectionId, spec),
  };
}

interface NoticesProps {
  readonly load: SkyLoad & { retry(): void };
  readonly fetch: SatelliteFetch;
  readonly selectedRange: TimeRange;
  /** The part of the selected range that is shown. */
  readonly readRange: TimeRange;
  /** Whether averages are selected that are computed locally, which satellite data do not have. */
  readonly isNativeInstead: boolean;
  readonly intervalSeconds: number | null;
  readonly onShowRaw: () => void;
}

/** Notices above the figures. */
export function Notices({
  load,
  fetch,
  selectedRange,
  readRange,
  isNativeInstead,
  intervalSeconds,
  onShowRaw,
}: NoticesProps) {
  const { sky, fault } = load;
  const problems = sky?.problems ?? [];
  return (
    <div className={classes["notices"]}>
      {fault ? <FaultNote fault={fault} action={<Button onPress={load.retry}>Try again</Button>} /> : null}
      {readRange.startMs > selectedRange.startMs ? (
        <p>The time range is too long to show at once. The last {lengthWords(durationMs(readRange))} are shown.</p>
      ) : null}
      {isNativeInstead ? (
        <p>Only ZTD and PWV can be averaged. Satellites are shown as observed.</p>
      ) : intervalSeconds !== null ? (
        <p>For an interval, the service returns the satellites of its first observation, not a mean.</p>
      ) : null}
      {problems.length > 0 ? (
        <p>
          Some values could not be read: {problemWords(problems)}.
          <Button look="quiet" onPress={onShowRaw}>
            Show as received
          </Button>
        </p>
      ) : null}
      {sky !== null && fetch.isRunning ? (
        <p>Satellites of this station are being fetched and appear as they arrive.</p>
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
