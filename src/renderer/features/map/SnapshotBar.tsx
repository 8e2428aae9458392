import { CloudDownload, Pause, Play, RefreshCw } from "lucide-react";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { shortName, type Variable } from "#shared/service/variables.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { useConnection } from "../../stores/connection.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { Segments, Select } from "../../ui/choices.tsx";
import { count, duration, many, utc, utcMinutes } from "../../ui/text.ts";
import { Hint } from "../../ui/Hint.tsx";
import classes from "./map.module.css";
import { showMoment, togglePlaying, useMapState } from "./mapState.ts";
import { SPEEDS, useMapOptions, WITHIN_SECONDS } from "./options.ts";
import { SERVICE_REQUESTS } from "./askService.ts";
import { type Live, useLive } from "./useLive.ts";
import { type Missing, worthAsking } from "./useMissing.ts";
import type { Snapshot } from "./useSnapshot.ts";
import { spreadText, tallyOf } from "./words.ts";

interface SnapshotBarProps {
  readonly snapshot: Snapshot;
  readonly stations: readonly CatalogueStation[];
  readonly missing: Missing;
  readonly variable: Variable;
}

const SOURCES = [
  { value: "cache", label: "Cached" },
  { value: "live", label: `Live · ${many(SERVICE_REQUESTS, "request")}` },
] as const;

/** The moment that the map shows: chosen on a slider, played, or asked of the service. */
export function SnapshotBar({ snapshot, stations, missing, variable }: SnapshotBarProps) {
  const [options, change] = useMapOptions();
  const live = useLive(snapshot, options.withinSeconds, stations.length);
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  return (
    // Busy while what is told is still of the moment before.
    <section aria-label="Snapshot" aria-busy={snapshot.isLoading} className={classes["bar"]}>
      <div className={classes["barRow"]}>
        <Segments
          label="Where values come from"
          choices={SOURCES}
          value={live.isLive ? "live" : "cache"}
          isDisabled={!live.isLive && isOffline}
          onChange={(source) => (source === "live" ? void live.ask() : live.leave())}
        />
        {live.isLive ? <LiveControls live={live} isOffline={isOffline} /> : <Player snapshot={snapshot} />}
        <Select
          label="Largest time difference from the moment"
          choices={WITHIN_SECONDS.map((s) => ({ value: String(s), label: `± ${duration(s)}` }))}
          value={String(options.withinSeconds)}
          onChange={(s) => change({ withinSeconds: Number(s) })}
        />
        {live.isLive ? null : (
          <Select
            label="Moments a second"
            choices={SPEEDS.map((n) => ({ value: String(n), label: `${n} / s` }))}
            value={String(options.framesPerSecond)}
            onChange={(n) => change({ framesPerSecond: Number(n) })}
          />
        )}
      </div>
      <div className={classes["toldRow"]}>
        <p>
          <Tally snapshot={snapshot} stations={stations} variable={variable} />
          {isOffline ? " The service is unreachable. Live values resume when it responds." : ""}
          {live.fault ? ` ${live.fault.message}` : ""}
        </p>
        {live.isLive || isOffline ? null : <AskMoment live={live} snapshot={snapshot} missing={missing} />}
      </div>
    </section>
  );
}

function Player({ snapshot }: { readonly snapshot: Snapshot }) {
  const isPlaying = useMapState((s) => s.isPlaying);
  const { momentMs, firstMs, lastMs, stepMs } = snapshot;
  return (
    <div className={classes["player"]}>
      <IconButton label={isPlaying ? "Stop (Space)" : "Play (Space)"} onPress={togglePlaying}>
        {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
      </IconButton>
      <input
        type="range"
        aria-label="Moment"
        aria-valuetext={`${utc(momentMs)} UTC`}
        className={classes["slider"]}
        min={firstMs}
        max={lastMs}
        step={stepMs}
        value={momentMs}
        onChange={(event) => showMoment(Number(event.target.value))}
        onKeyDown={(event) => {
          if (event.key !== " ") return;
          event.preventDefault();
          togglePlaying();
        }}
      />
      <output className={classes["moment"]}>{stepMs < MINUTE_MS ? utc(momentMs) : utcMinutes(momentMs)} UTC</output>
    </div>
  );
}

function LiveControls({ live, isOffline }: { readonly live: ReturnType<typeof useLive>; readonly isOffline: boolean }) {
  return (
    <div className={classes["player"]}>
      <Button onPress={() => void live.ask()} isDisabled={live.isAsking || isOffline}>
        <RefreshCw aria-hidden />
        {live.isAsking ? "Asking …" : `Request again · ${live.cost}`}
      </Button>
      <output className={classes["moment"]}>{live.momentMs === null ? "" : `${utc(live.momentMs)} UTC`}</output>
    </div>
  );
}

interface AskMomentProps {
  readonly live: Live;
  readonly snapshot: Snapshot;
  readonly missing: Missing;
}

/** Asks the service what the stations showed of which nothing is cached at the moment, the cost on the button. */
function AskMoment({ live, snapshot, missing }: AskMomentProps) {
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const asked = snapshot.told?.askedIds ?? NOBODY;
  const ids = worthAsking(missing).filter((id) => !asked.has(id));
  if (isFile || (ids.length === 0 && !live.isAsking)) return null;
  return (
    <Hint text="The nearest observations of stations without a cached value at this moment. They are shown, not saved.">
      <Button look="quiet" isDisabled={live.isAsking} onPress={() => void live.askMoment(ids)}>
        <CloudDownload aria-hidden />
        {live.isAsking ? "Asking …" : `Request ${many(ids.length, "station")} · ${many(SERVICE_REQUESTS, "request")}`}
      </Button>
    </Hint>
  );
}

const NOBODY: ReadonlySet<string> = new Set();

/** How many stations have a value, how old it is, how many of them are not cached, and how many have none. */
function Tally({ snapshot, stations, variable }: Omit<SnapshotBarProps, "missing">) {
  const { frame, fault, told, query } = snapshot;
  if (fault) return fault.message;
  if (!frame) return "Reading the cache …";
  const tally = tallyOf(stations, frame, variable);
  if (tally.there === 0) return `No ${shortName(variable)} at this moment.`;
  const missing = stations.length - tally.there;
  return [
    `${shortName(variable)} of ${count(tally.there)} of ${many(stations.length, "station")}`,
    spreadText(tally),
    told && tally.told > 0
      ? `${count(tally.told)} from the service, not saved${query.mode.intervalSeconds === null ? "" : ": single observations, no means"}`
      : "",
    missing > 0 ? `${count(missing)} without a value` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}
