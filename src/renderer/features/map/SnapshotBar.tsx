import { CloudDownload, Download, Pause, Play, RefreshCw } from "lucide-react";
import { shortName, withUncertainty } from "#shared/service/variables.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { useIsFile, useIsOffline, usePausedUntilMs } from "../../stores/connection.ts";
import { Button, IconButton, QuietButton } from "../../ui/Button.tsx";
import { Segments, Select, choicesFrom } from "../../ui/choices.tsx";
import { FaultStrip } from "../../ui/notes.tsx";
import { Slider } from "../../ui/Slider.tsx";
import { count, duration, many, timeOfDay, utc, utcMinutes } from "../../ui/text.ts";
import classes from "./map.module.css";
import { MAP, showMoment, SPEEDS, togglePlaying, useMapState, WITHIN_SECONDS } from "./mapState.ts";
import { type Live, SERVICE_REQUESTS, useLive } from "./useLive.ts";
import { absenceOf, fetchableIds, type MissingValues } from "./useMissing.ts";
import { positionOf } from "./places.ts";
import type { Snapshot } from "./useSnapshot.ts";
import { differenceRange, tallyOf } from "./labels.ts";
import { usePane } from "../../stores/pane.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { gapMark } from "#shared/plot/gapMarks.ts";
import { Flyout } from "../../ui/Flyout.tsx";
import { listOnly } from "../catalogue/onMap.ts";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { useCost } from "../fetch/useEstimate.ts";
import type { MapParts } from "./useMapParts.ts";

const SOURCES = choicesFrom({ cache: "Cached", live: `Live · ${many(SERVICE_REQUESTS, "request")}` });

/** The moment that the map shows: chosen with a slider, played, or the latest values from the service. */
export function SnapshotBar(props: MapParts) {
  const { snapshot, stations } = props;
  const [options] = usePane(MAP);
  const field = fieldsOf(options, MAP.change);
  const live = useLive(snapshot, options.withinSeconds, stations.length);
  const fault = snapshot.fault ?? live.fault;
  const isOffline = useIsOffline();
  const pausedUntilMs = usePausedUntilMs();
  return (
    // Busy while the previous moment is still shown.
    <section
      aria-label="Snapshot"
      aria-busy={snapshot.isLoading}
      className="@container flex-none px-3 py-1 border-t border-line"
    >
      <div className="row flex-wrap gap-x-2 gap-y-1">
        <Segments
          label="Where values come from"
          choices={SOURCES}
          value={live.isLive ? "live" : "cache"}
          isDisabled={!live.isLive && isOffline}
          onChange={(source) => (source === "live" ? void live.requestLatest() : live.leave())}
        />
        {live.isLive ? <LiveControls live={live} isOffline={isOffline} /> : <Player snapshot={snapshot} />}
        <Select
          label="Largest time difference from the moment"
          choices={WITHIN_SECONDS.map((s) => ({ value: s, label: `± ${duration(s)}` }))}
          {...field("withinSeconds")}
        />
        {live.isLive ? null : (
          <Select
            label="Moments per second"
            choices={SPEEDS.map((n) => ({ value: n, label: `${n} / s` }))}
            {...field("framesPerSecond")}
          />
        )}
      </div>
      <div className={`${classes["toldRow"]} row caption flex-wrap gap-x-2 gap-y-1 min-h-7`}>
        {fault ? (
          <div className="flex flex-[2_1_240px] min-w-0">
            <FaultStrip fault={fault} />
          </div>
        ) : null}
        <p>
          <Tally {...props} />
          {live.isRequesting ? " Requesting …" : ""}
          {isOffline ? " The service is unreachable. Live values resume when it responds." : ""}
          {pausedUntilMs === null ? "" : ` The service asked to wait until ${timeOfDay(pausedUntilMs)} UTC.`}
          {live.remarks.map((remark) => ` ${remark}`).join("")}
        </p>
        <WithoutValue {...props} live={live} />
      </div>
    </section>
  );
}

function Player({ snapshot }: { readonly snapshot: Snapshot }) {
  const isPlaying = useMapState((s) => s.isPlaying);
  const { momentMs, firstMs, lastMs, stepMs } = snapshot;
  return (
    <div className={classes["player"]}>
      <IconButton
        label={isPlaying ? "Pause" : "Play"}
        shortcut="Space"
        onPress={togglePlaying}
        icon={isPlaying ? Pause : Play}
      />
      <div className="flex flex-1 min-w-16">
        <Slider
          label="Moment"
          text={`${utc(momentMs)} UTC`}
          // In steps, because the last one ends at the newest data.
          max={Math.ceil((lastMs - firstMs) / stepMs)}
          value={Math.ceil((momentMs - firstMs) / stepMs)}
          onChange={(value) => showMoment(firstMs + value * stepMs, snapshot)}
          onSpace={togglePlaying}
        />
      </div>
      <span className="font-medium whitespace-nowrap">
        {momentMs % MINUTE_MS === 0 ? utcMinutes(momentMs) : utc(momentMs)} UTC
      </span>
    </div>
  );
}

function LiveControls({ live, isOffline }: { readonly live: ReturnType<typeof useLive>; readonly isOffline: boolean }) {
  return (
    <div className={classes["player"]}>
      <Button onPress={() => void live.requestLatest()} isDisabled={live.isRequesting || isOffline} icon={RefreshCw}>
        {live.isRequesting ? "Requesting …" : `Request again · ${live.cost}`}
      </Button>
      <output className="font-medium whitespace-nowrap">
        {live.momentMs === null ? "" : `${utc(live.momentMs)} UTC`}
      </output>
    </div>
  );
}

/** Summarizes how many stations have a value, its time difference, and how many values are not cached or missing. */
function Tally({ snapshot, stations, missing: absent, variable }: MapParts) {
  const { frame, fault, serviceValues, query } = snapshot;
  if (fault) return null;
  if (!frame) return "Reading the cache …";
  const tally = tallyOf(stations, frame, variable);
  if (tally.count === 0) return `No ${shortName(variable)} at this moment.`;
  const missing = stations.length - tally.count;
  const requestable = requestableIds(snapshot, absent).length;
  const unplaced = stations.filter((station) => positionOf(station) === null).length;
  const isPart = requestable > 0 && requestable < missing;
  return [
    `${shortName(variable)} of ${count(tally.count)} of ${many(stations.length, "station")}`,
    differenceRange(tally),
    serviceValues && tally.serviceCount > 0
      ? `${count(tally.serviceCount)} from the service, not saved${query.mode.intervalSeconds === null ? "" : ": single observations, not means"}`
      : "",
    isPart ? `the service may have ${count(requestable)} more` : "",
    unplaced > 0 ? `${count(unplaced)} without a position` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

interface WithoutValueProps extends MapParts {
  readonly live: Live;
}

/** How many stations have no value; when pressed, why, and the ways to get one. */
function WithoutValue(props: WithoutValueProps) {
  const { stations } = props.missing;
  if (stations.length === 0 || props.snapshot.frame === null) return null;
  const label = `${count(stations.length)} without a value`;
  return (
    <Flyout label={label} placement="top end" button={<QuietButton label={label} />}>
      <div className="stack items-start gap-2 w-[320px]">
        <p>{causesOf(props)}</p>
        <Button slot="close" onPress={() => listOnly("withoutValue")}>
          List these stations
        </Button>
        <RequestMoment {...props} />
        <FetchMissing {...props} />
      </div>
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
function requestableIds(snapshot: Snapshot, missing: MissingValues): string[] {
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
