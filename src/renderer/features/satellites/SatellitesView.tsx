import { Satellite } from "lucide-react";
import { useMemo } from "react";
import { epochSeconds as nominalSeconds } from "#shared/service/points.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { SATELLITE_VARIABLES } from "#shared/service/variables.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { useConnectionId, useIsOffline } from "../../stores/connection.ts";
import { useBarFetches, useChips } from "../../stores/oneVariable.ts";
import { readModeOf, useSelection } from "../../stores/selection.ts";
import { Select } from "../../ui/choices.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { CHOICES, type Shown, shownConstellations } from "./choices.ts";
import { readableRange, type SkyQuery, useSky } from "./data/loader.ts";
import classes from "./satellites.module.css";
import { emptySky } from "./data/sky.ts";
import { Toolbar } from "./controls/Toolbar.tsx";
import { BinsFigure } from "./figures/BinsFigure.tsx";
import { HeatFigure } from "./figures/HeatFigure.tsx";
import { MomentValues } from "./figures/MomentValues.tsx";
import { SkyFigure } from "./figures/SkyFigure.tsx";
import { ViewFigure } from "./figures/ViewFigure.tsx";
import { usePane } from "../../stores/pane.ts";
import { problemWords } from "#shared/satellites/problems.ts";
import { durationMs } from "#shared/time/range.ts";
import { runCommand } from "../../stores/commands.ts";
import { useIsFetching } from "../../stores/work.ts";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { EmptyState, FaultStrip, Over } from "../../ui/notes.tsx";
import { useCost } from "../fetch/useEstimate.ts";
import { gapsOf } from "../../ask/questions.ts";
import { useAskHere } from "../../ask/useAsk.ts";
import { emptyWords, lengthWords, READING } from "./labels.ts";

const SATELLITES = ["prn"] as const;

/** Satellites tracked by one of the selected stations: the sky at a moment, and C/N0 over the range. */
export function SatellitesView() {
  useChips(SATELLITES);
  const { stationIds } = useSelection();
  const [{ stationId: wanted }] = usePane(CHOICES);
  const stationId = wanted !== null && stationIds.includes(wanted) ? wanted : stationIds[0];
  if (stationId === undefined) {
    return <NoStation icon={Satellite}>Select a station in the list to see the satellites it tracked.</NoStation>;
  }
  return <StationSky stationId={stationId} />;
}

function StationSky({ stationId }: { readonly stationId: string }) {
  const connectionId = useConnectionId();
  const [choices] = usePane(CHOICES);
  const selection = useSelection();
  const byId = useCatalogue((s) => s.byId);
  const name = stationName(byId, stationId);
  const mode = readModeOf(selection);
  // Satellite data cannot be averaged locally, so native observations are shown instead.
  const intervalSeconds = mode.resampled ? null : mode.intervalSeconds;
  const epochSeconds =
    intervalSeconds ?? nominalSeconds(byId.get(stationId) ?? { sourceType: "", resolutionSeconds: 0 });
  const { startMs, endMs } = selection.range;
  const query = useMemo((): SkyQuery => {
    const stepMs = epochSeconds * 1000;
    const range = readableRange({ startMs, endMs }, stepMs);
    return { connectionId, stationId, range, mode: { intervalSeconds, raw: mode.raw }, stepMs };
  }, [connectionId, stationId, startMs, endMs, intervalSeconds, mode.raw, epochSeconds]);
  const asked = useSky(query);
  const { value: read, isLoading } = asked;
  const spec: JobSpec = {
    stationIds: [stationId],
    variables: SATELLITE_VARIABLES,
    range: query.range,
    intervalSeconds,
    raw: mode.raw,
  };
  useBarFetches(spec);

  // Empty figures are shown until the first data arrive.
  const placeholder = useMemo(() => emptySky(query.stepMs), [query.stepMs]);
  const isFirst = isLoading && read?.share !== 1;
  const sky = read?.sky ?? (isFirst ? placeholder : null);
  const band = Math.max(0, sky?.bands.findIndex((b) => b.name === choices.band) ?? 0);
  const hidden = choices.hidden.join(" ");
  const filter = useMemo(
    () => ({ cutOffDeg: choices.cutOffDeg, shown: shownConstellations(hidden.split(" ")) }),
    [choices.cutOffDeg, hidden],
  );
  const isEmpty = sky !== null && sky.timesMs.length === 0 && !isFirst;
  const shown: Shown | null =
    sky === null || isEmpty ? null : { sky, range: query.range, filter, band, choices, stationName: name };
  const stations = selection.stationIds.map((id) => ({ value: id, label: stationName(byId, id) }));
  return (
    <div className="pane @container">
      <Toolbar
        sky={shown?.sky ?? null}
        band={band}
        reading={isFirst ? (read?.share ?? 0) : null}
        choices={choices}
        station={
          stations.length > 1 ? (
            <Select
              label="Station of the sky"
              choices={stations}
              value={stationId}
              onChange={(id) => CHOICES.change({ stationId: id })}
            />
          ) : (
            <h2 className="leading-7">{name}</h2>
          )
        }
      />
      <Notices asked={asked} query={query} />
      {shown ? <Figures shown={shown} query={query} /> : null}
      {isEmpty ? <EmptyNotice query={query} spec={spec} stationName={name} isReading={isLoading} /> : null}
    </div>
  );
}

interface FiguresProps {
  readonly shown: Shown;
  readonly query: SkyQuery;
}

/** The figures, or the values of the moment, above the time controls. */
function Figures({ shown, query }: FiguresProps) {
  return (
    <div className="stack relative flex-1 min-h-0 overflow-x-hidden overflow-y-auto">
      {shown.choices.body === "values" ? (
        <MomentValues shown={shown} query={query} />
      ) : (
        <div className={classes["figures"]}>
          <SkyFigure shown={shown} />
          <BinsFigure shown={shown} />
          <HeatFigure shown={shown} />
        </div>
      )}
      <ViewFigure shown={shown} />
    </div>
  );
}

interface NoticesProps {
  readonly asked: ReturnType<typeof useSky>;
  readonly query: SkyQuery;
}

/** Notices above the figures. */
function Notices({ asked: { value, fault, again }, query: { range, mode } }: NoticesProps) {
  const selection = useSelection();
  const problems = value?.sky.problems ?? [];
  return (
    <>
      <div className={`${classes["notices"]} stack flex-none gap-1 px-3 py-1 text-quiet`}>
        {range.startMs > selection.range.startMs ? (
          <p>The time range is too long to show at once. The last {lengthWords(durationMs(range))} are shown.</p>
        ) : null}
        {readModeOf(selection).resampled ? (
          <p>Only ZTD and PWV can be averaged. Satellites are shown as observed.</p>
        ) : mode.intervalSeconds !== null ? (
          <p>For an interval, the service returns the satellites of its first observation, not a mean.</p>
        ) : null}
      </div>
      <Over>
        {fault ? <FaultStrip fault={fault} action={<Button onPress={again}>Try again</Button>} /> : null}
        {problems.length > 0 ? (
          <p>
            Some values could not be read: {problemWords(problems)}.
            <QuietButton label="Show as received" onPress={() => CHOICES.change({ body: "values" })} />
          </p>
        ) : null}
      </Over>
    </>
  );
}

interface EmptyNoticeProps {
  readonly query: SkyQuery;
  /** The download of what is missing. */
  readonly spec: JobSpec;
  readonly stationName: string;
  /** Whether the cache is being read, or is about to be. */
  readonly isReading: boolean;
}

/** Explains why there are no satellites, and offers a download if that would help. */
function EmptyNotice({ query, spec, stationName, isReading }: EmptyNoticeProps) {
  const { stationId, range, mode } = query;
  const isRunning = useIsFetching([stationId], "prn");
  const isOffline = useIsOffline();
  const isMissing = useCost(spec) !== null;
  const input = {
    stationIds: [stationId],
    variables: ["prn" as const],
    range,
    mode: { ...mode, resampled: false },
    minimumMs: 0,
  };
  const gaps = useAskHere(gapsOf, input, { delayMs: 0 });
  // Shows no cause until it is known. Without a gap, newly arrived data are about to be drawn.
  const isKnown = !isReading && !gaps.isLoading && gaps.value?.some((g) => g.gaps.length > 0);
  if (isRunning)
    return (
      <EmptyState
        icon={Satellite}
        title={`Fetching satellites of ${stationName}`}
        actions={<Button onPress={() => void runCommand("jobs")}>Downloads and exports</Button>}
      >
        They appear here as they arrive.
      </EmptyState>
    );
  if (gaps.fault === null && !isKnown) return <EmptyState icon={Satellite} title={READING} />;
  const causes = new Set(gaps.value?.flatMap((g) => g.gaps.map((gap) => gap.cause)));
  const reason = gaps.value?.flatMap((g) => g.gaps).find((gap) => gap.cause === "failed")?.reason;
  const isForbidden = causes.size === 1 && causes.has("noAccess");
  return (
    <EmptyState
      icon={Satellite}
      title={
        isForbidden
          ? `The key has no access to ${stationName}`
          : causes.has("notRequested")
            ? `No satellites of ${stationName} are cached for this range`
            : `No satellites of ${stationName} in this range`
      }
    >
      {`${emptyWords(causes, reason)}${isOffline && isMissing ? " The service is unreachable. The download starts when it responds again." : ""}`}
    </EmptyState>
  );
}
