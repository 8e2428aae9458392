import { useMemo } from "react";
import { Dialog, Heading } from "react-aria-components";
import { GAP_MARKS, gapMark } from "#shared/plot/gapMarks.ts";
import { allLines, type CursorPlace, type GapUnder, type PanelModel } from "#shared/plot/panel.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { durationMs, intersectRange, type TimeRange } from "#shared/time/range.ts";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { JobSpec } from "#shared/job/job.ts";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { exactDuration, many, utcMinutes, capitalized } from "../../ui/text.ts";
import floating from "../../ui/floating.module.css";
import { useCursor } from "./useKeyCursor.ts";
import classes from "./series.module.css";
import { readMoment, valuesText } from "../../plot/readout.ts";
import type { Stage } from "../../plot/stage.ts";
import { widen } from "../../plot/view.ts";
import { RejectedButton, rejectedCost, rejectedFetch, unknownGaps } from "../gaps/RejectedButton.tsx";
import { GAP_MINIMUM } from "../gaps/useGapList.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { jobSpecOf } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { Shown } from "./Legend.tsx";
import { movedBy } from "./beside.ts";
import { RAW_SHOWN, type SeriesQuery } from "./query.ts";
import { costOf, gapsOf } from "../../ask/questions.ts";
import { type Asked, useAsk, useAskHere } from "../../ask/useAsk.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { PopoverAt } from "../../ui/PopoverAt.tsx";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { startFetch } from "../fetch/useEstimate.ts";
import { knownWords, fetchWords } from "../fetch/labels.ts";
import { usePane } from "../../stores/pane.ts";
import { JOINT_COLOUR, JOINT_WORDS, LANE_OPACITY } from "#shared/plot/lanes.ts";

const PRESS_HINTS: Partial<Record<GapCause, string>> = {
  notRequested: ". Click to fetch it.",
  nothingOrFiltered: ". Press to find the cause.",
  mayStillArrive: ". Press to find the cause.",
};

/** Describes a gap: cause, duration, reason if known, and what pressing it does: "failed, 2 h. The service …". */
export function gapHintWords({ cause, range, reason }: Pick<GapUnder, "cause" | "range" | "reason">): string {
  const length = exactDuration((range.endMs - range.startMs) / 1000);
  const why = reason === undefined ? "" : `. ${reason}`;
  return `${gapMark(cause).word}, ${length}${why}${PRESS_HINTS[cause] ?? ""}`;
}

interface PlotHintProps {
  readonly stage: Stage;
  readonly models: readonly PanelModel[];
  readonly nameOf: (id: string) => string;
  readonly isOff: boolean;
}

/** A tooltip beside the cursor that describes the gap under it, or names the line that is pointed at, with its values. */
export function PlotHint({ stage, models, nameOf, isOff }: PlotHintProps) {
  const place = useCursor((s) => s.place);
  if (!place || isOff) return null;
  const words = place.gap ? ofGap(place.gap) : place.stationId ? ofLine(place.stationId) : null;
  if (words === null) return null;
  function ofGap(gap: GapUnder): string {
    const line = models.flatMap(allLines).find((each) => each.stationId === gap.stationId);
    const who = gap.stationId === null ? many(gap.stations, "station") : (line?.name ?? nameOf(gap.stationId));
    return `${who}: ${gapHintWords(gap)}`;
  }
  function ofLine(stationId: string): string {
    const line = models.flatMap(allLines).find((each) => each.stationId === stationId);
    const momentMs = readMoment(models, place?.momentMs ?? 0, stage.view());
    return `${line?.name ?? ""}: ${valuesText(models, { stationId }, momentMs)}`;
  }
  const isLeft = place.clientX > window.innerWidth - 340;
  return (
    <div
      role="tooltip"
      className={`${floating["tooltip"]} fixed z-40 pointer-events-none`}
      style={{
        top: place.clientY + 16,
        ...(isLeft ? { right: window.innerWidth - place.clientX + 12 } : { left: place.clientX + 12 }),
      }}
    >
      {words}
    </div>
  );
}

/** Share of the view that is about a pixel. */
const PIXEL_SHARE = 1 / 1_000;

/** Returns the causes of the gaps of which at least a pixel is visible. */
export function causesIn(models: readonly PanelModel[], view: TimeRange): ReadonlySet<GapCause> {
  const gaps = models.flatMap((model) => model.gaps.flatMap((station) => station.gaps));
  const leastMs = durationMs(view) * PIXEL_SHARE;
  return new Set(gaps.filter((gap) => durationMs(intersectRange(gap.range, view)) >= leastMs).map((gap) => gap.cause));
}

interface GapLegendProps {
  readonly causes: ReadonlySet<GapCause>;
  /** Whether many stations share a lane, which is grey where none of them has a gap. */
  readonly isJoint: boolean;
}

/** Explains the hatching of the visible causes. */
export function GapLegend({ causes, isJoint }: GapLegendProps) {
  if (causes.size === 0) return null;
  return (
    <ul className={classes["gapLegend"]} aria-label="Causes of gaps">
      {isJoint ? (
        <li title="No station has a gap. Elsewhere, the bar of a cause is as high as the share of the stations with it.">
          <svg aria-hidden width="20" height="12">
            <rect width="20" height="12" fill={`var(${JOINT_COLOUR})`} fillOpacity={LANE_OPACITY} />
          </svg>
          {JOINT_WORDS}
        </li>
      ) : null}
      {GAP_MARKS.filter((mark) => causes.has(mark.cause)).map((mark) => (
        <li key={mark.cause} title={mark.meaning}>
          <HatchSwatch mark={mark} />
          {mark.word}
        </li>
      ))}
    </ul>
  );
}

/** Gaps narrower than this share of the view appear only as breaks of the line. */
const MIN_SHARE = 1 / 600;

/**
 * Returns the gaps of the series, also beyond the range on both sides, so that panning shows no blanks; without a range,
 * none.
 */
export function useGaps(query: SeriesQuery, panels: readonly Variable[], range: TimeRange | null): Asked<SeriesGaps[]> {
  // Opened files alone have no stations.
  const isAsked = range !== null && query.stationIds.length > 0;
  const input = isAsked && {
    ...query,
    variables: panels,
    range: widen(range, 3),
    minimumMs: Math.round((range.endMs - range.startMs) * MIN_SHARE),
  };
  return useAsk(gapsOf, input || null, { keepFor: [query.connectionId, query.mode] });
}

const UNKNOWN_GAPS_DELAY_MS = 250;

interface FindCausesProps {
  readonly shown: Shown;
  readonly range: TimeRange;
  /** Gaps that are already known: without one whose cause is unknown, nothing is loaded. */
  readonly found: readonly SeriesGaps[] | null;
}

/** The button that finds the causes of all gaps of the range, also of gaps too narrow to be drawn. */
export function FindCauses({ shown, range, found }: FindCausesProps) {
  const [minimumSeconds] = usePane(GAP_MINIMUM);
  const stationIds = shown.stations.filter((s) => !s.isHidden).map((s) => s.id);
  const input = { ...shown.query, stationIds, variables: shown.panels, range, minimumMs: minimumSeconds * 1_000 };
  const hasAny = found?.some(
    ({ secondsByCause: { nothingOrFiltered = 0, mayStillArrive = 0 } }) => nothingOrFiltered + mayStillArrive > 0,
  );
  const isAsked = hasAny && stationIds.length > 0;
  const { value } = useAsk(gapsOf, isAsked ? input : null, { delayMs: UNKNOWN_GAPS_DELAY_MS });
  const gaps = useMemo(() => unknownGaps(value ?? [], range), [value, range]);
  return <RejectedButton gaps={gaps} />;
}

/** A gap that the user pressed, with the download that would fill it or find its cause. */
export interface PressedGap {
  readonly cause: GapCause;
  readonly spec: JobSpec;
  /** Name or number of the stations. */
  readonly who: string;
  readonly clientX: number;
  readonly clientY: number;
}

/** Returns the gap with its download, if data can be downloaded or the cause can be found. */
export function pressedGap(
  { gap, clientX, clientY }: CursorPlace,
  models: readonly PanelModel[],
  view: TimeRange,
): PressedGap | null {
  if (gap?.cause !== "notRequested" && gap?.cause !== "nothingOrFiltered" && gap?.cause !== "mayStillArrive")
    return null;
  const earlier = models.flatMap(allLines).find((line) => line.stationId === gap.stationId)?.earlier;
  const stationId = earlier?.stationId ?? gap.stationId;
  const ids = stationId === null ? (models[0]?.lines ?? []).map((line) => line.stationId) : [stationId];
  const byMs = earlier?.byMs ?? 0;
  const inView = intersectRange(gap.range, view);
  const visible = movedBy(inView, -byMs);
  const gapRange = { startMs: Math.floor(visible.startMs), endMs: Math.ceil(visible.endMs) };
  // With all variables of the selection; otherwise fetching the selection would request this range a second time.
  const whole = jobSpecOf({ ...useWorkspace.getState(), stationIds: ids, range: gapRange });
  const place = {
    who: stationId === null ? many(ids.length, "station") : stationName(useCatalogue.getState().byId, stationId),
    cause: gap.cause,
    clientX,
    clientY,
  };
  if (gap.cause === "notRequested") return { spec: whole, ...place };
  const isPressed = (id: string): boolean => (gap.stationId === null ? ids.includes(id) : id === gap.stationId);
  const drawn = models.flatMap((model) => model.gaps.filter((each) => isPressed(each.stationId)));
  const places = unknownGaps(drawn, inView).map((place) => ({
    stationId: stationId ?? place.stationId,
    range: movedBy(place.range, -byMs),
  }));
  const { spec } = rejectedFetch(whole, places);
  return { spec, ...place };
}

interface GapFetchProps {
  readonly gap: PressedGap;
  readonly onClose: () => void;
}

/** A popover with a gap, the cost of its download and a button that starts it. */
export function GapFetch({ gap, onClose }: GapFetchProps) {
  const { value: estimate, fault } = useAskHere(costOf, { spec: gap.spec }, { delayMs: 0 });
  const isUnknown = gap.cause !== "notRequested";
  const start = async (): Promise<void> => {
    if (!(await startFetch(gap.spec))) return;
    // Fetched to find the cause, which the rejected data show.
    if (isUnknown) RAW_SHOWN.set(true);
    onClose();
  };
  const isOffline = useIsOffline();
  const { range } = gap.spec;
  const words = isUnknown ? rejectedCost : fetchWords;
  return (
    <PopoverAt x={gap.clientX} y={gap.clientY} onClose={onClose} placement="bottom">
      <Dialog className="stack gap-3 w-[300px] p-4 outline-none">
        <Heading slot="title">{capitalized(gapMark(gap.cause).word)}</Heading>
        <p>
          {gap.who}
          <br />
          {utcMinutes(range.startMs)} → {utcMinutes(range.endMs)} UTC
        </p>
        {fault ? <FaultNote fault={fault} /> : null}
        <p className={classes["quiet"]}>
          {isUnknown ? "Fetch raw data of this period to find the cause." : null}
          {isUnknown || !estimate ? null : knownWords(estimate)}
          {estimate ? null : " Counting …"}
        </p>
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" autoFocus onPress={() => void start()}>
            {estimate ? words(estimate, isOffline) : isUnknown ? "Find the cause" : "Fetch this gap"}
          </Button>
        </div>
      </Dialog>
    </PopoverAt>
  );
}
