import { Download } from "lucide-react";
import type { JobSpec } from "#shared/job/job.ts";
import { type Variable, withUncertainty } from "#shared/service/variables.ts";
import { useConnection } from "../../stores/connection.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { duration } from "../../ui/text.ts";
import { startFetch } from "../fetch/startFetch.ts";
import { useCost } from "../fetch/useEstimate.ts";
import { fetchWords } from "../fetch/words.ts";
import classes from "./map.module.css";
import { useMapState } from "./mapState.ts";
import { type MissingValues, fetchableIds } from "./useMissing.ts";
import type { Snapshot } from "./useSnapshot.ts";

interface FetchMissingProps {
  readonly snapshot: Snapshot;
  readonly missing: MissingValues;
  readonly variable: Variable;
}

/** Downloads missing data around the moment for the stations that may have it; the cost is shown above the button. */
export function FetchMissing({ snapshot, missing, variable }: FetchMissingProps) {
  const { query, momentMs, withinMs } = snapshot;
  const isLive = useMapState((s) => s.live !== null);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const spec: JobSpec = {
    stationIds: fetchableIds(missing),
    variables: withUncertainty(variable),
    range: { startMs: momentMs - withinMs, endMs: momentMs + withinMs + 1_000 },
    intervalSeconds: query.mode.resampled ? null : query.mode.intervalSeconds,
    raw: query.mode.raw,
  };
  const cost = useCost(query.connectionId, isLive ? { ...spec, stationIds: [] } : spec);
  const isRunning = useWork((s) =>
    s.jobs.some((j) => j.state === "running" && JSON.stringify(j.spec) === JSON.stringify(spec)),
  );
  if (cost === null || spec.stationIds.length === 0) return null;
  return (
    <div className={classes["fetch"]}>
      <p id="map-fetch-cost">
        {isRunning ? "Fetching" : fetchWords(cost, isOffline)}, {duration(withinMs / 1_000)} before and after this
        moment
      </p>
      <Button
        isDisabled={isRunning}
        aria-describedby="map-fetch-cost"
        onPress={() => void startFetch(query.connectionId, spec)}
      >
        <Download aria-hidden />
        Fetch missing data
      </Button>
    </div>
  );
}
