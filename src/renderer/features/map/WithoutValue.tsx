import { CloudDownload, Download } from "lucide-react";
import { shortName, type Variable, withUncertainty } from "#shared/service/variables.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { useIsFile, useIsOffline } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { count, duration, many } from "../../ui/text.ts";
import { listOnly } from "../catalogue/onMap.ts";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { useCost } from "../fetch/useEstimate.ts";
import { type Live, SERVICE_REQUESTS } from "./useLive.ts";
import { absenceOf, fetchableIds, type MissingValues } from "./useMissing.ts";
import type { Snapshot } from "./useSnapshot.ts";

interface WithoutValueProps {
  readonly live: Live;
  readonly snapshot: Snapshot;
  readonly missing: MissingValues;
  readonly variable: Variable;
}

/** How many stations have no value, behind it why, and the ways to get one. */
export function WithoutValue(props: WithoutValueProps) {
  const { stations } = props.missing;
  if (stations.length === 0 || props.snapshot.frame === null) return null;
  const label = `${count(stations.length)} without a value`;
  return (
    <Flyout label={label} placement="top end" button={<Button look="quiet">{label}</Button>}>
      {(close) => (
        <div className="stack items-start gap-2 w-[320px]">
          <p>{causesOf(props)}</p>
          <Button
            onPress={() => {
              listOnly("withoutValue");
              close();
            }}
          >
            List these stations
          </Button>
          <RequestMoment {...props} />
          <FetchMissing {...props} />
        </div>
      )}
    </Flyout>
  );
}

/** "ZTD at this moment: not downloaded 60, nothing sent 4." */
function causesOf({ missing, variable }: WithoutValueProps): string {
  const causes = missing.stations.map(({ id }) => absenceOf(missing, id)?.cause ?? null);
  const counts = [...Map.groupBy(causes, (cause) => cause)].map(
    ([cause, { length }]) => `${cause === null ? "cause unknown" : gapMark(cause).word} ${count(length)}`,
  );
  return `${shortName(variable)} at this moment: ${counts.join(", ")}.`;
}

const NO_STATIONS: ReadonlySet<string> = new Set();

/** Stations without a cached value for which the service may have one, and has not been asked. */
export function requestableIds(snapshot: Snapshot, missing: MissingValues): string[] {
  const requested = snapshot.serviceValues?.requestedIds ?? NO_STATIONS;
  return fetchableIds(missing).filter((id) => !requested.has(id));
}

/** Requests values of the stations without a cached value at the moment; the button shows the cost. */
function RequestMoment({ live, snapshot, missing }: WithoutValueProps) {
  const isFile = useIsFile();
  const isOffline = useIsOffline();
  const ids = requestableIds(snapshot, missing);
  if (isFile || isOffline || live.isLive || (ids.length === 0 && !live.isRequesting)) return null;
  return (
    <>
      <p className="caption">The nearest observations from the service, shown and not saved:</p>
      <Button isDisabled={live.isRequesting} onPress={() => void live.requestMoment(ids)} icon={CloudDownload}>
        {live.isRequesting
          ? "Requesting …"
          : `Request ${many(ids.length, "station")} · ${many(SERVICE_REQUESTS, "request")}`}
      </Button>
    </>
  );
}

/** Downloads missing data around the moment for the stations that may have it; the button shows the cost. */
function FetchMissing({ live, snapshot, missing, variable }: WithoutValueProps) {
  const { query, momentMs, withinMs } = snapshot;
  const spec: JobSpec = {
    stationIds: live.isLive ? [] : fetchableIds(missing),
    variables: withUncertainty(variable),
    range: { startMs: momentMs - withinMs, endMs: momentMs + withinMs + 1_000 },
    intervalSeconds: query.mode.resampled ? null : query.mode.intervalSeconds,
    raw: query.mode.raw,
  };
  return (
    <>
      {useCost(spec) === null ? null : (
        <p className="caption">All observations of {duration(withinMs / 1_000)} before and after this moment, saved:</p>
      )}
      <FetchButton spec={spec} icon={Download} />
    </>
  );
}
