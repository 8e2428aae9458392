import { memo, useCallback, useEffect, useMemo, useState } from "react";
import { Pause, Play } from "lucide-react";
import type { TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { duration, utc } from "../../../ui/text.ts";
import { constellationAt } from "../constellations.ts";
import { inViewCsv } from "./csv.ts";
import { type Draw, Figure } from "./Figure.tsx";
import { axes, LEFT, plotBox } from "#shared/plot/figure/axes.ts";
import type { PointedAt } from "../../../ui/drag.ts";
import { countInView, KINDS, viewColumns, type ViewColumns } from "../data/inView.ts";
import { shownMoment, snapToStep, useMoment } from "../data/moment.ts";
import classes from "../satellites.module.css";
import { epochAt, type Sky } from "../data/sky.ts";
import { rangeText } from "../../range/labels.ts";
import { fileNameOf, type Shown, shownWords } from "../choices.ts";
import { useSlicedWork } from "../data/slices.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { Slider } from "../../../ui/Slider.tsx";
import { momentWords } from "../labels.ts";
import { MemoSelect } from "../controls/memo.ts";
import { text } from "#shared/plot/figure/page.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import type { SheetPart } from "#shared/plot/figure/sheet.ts";
import { type Box, yOf } from "#shared/plot/scale.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";

interface Counted {
  readonly sky: Sky;
  readonly counts: Uint16Array;
}

/** Satellites in view over the range; a press on it, or the slider below, sets the moment of the sky plot. */
export function ViewFigure({ shown }: { readonly shown: Shown }) {
  const { sky, filter, range } = shown;
  const [hoverMs, setHoverMs] = useState<number | null>(null);
  const counted = useSlicedWork<Counted>(
    useCallback(
      function* () {
        return { sky, counts: yield* countInView(sky, filter) };
      },
      [sky, filter],
    ),
  );
  const draw = useMemo((): Draw => {
    if (!counted) return () => [];
    return drawInView((columns) => viewColumns(counted.sky, counted.counts, range, columns), range);
  }, [counted, range]);
  return (
    <Figure
      title="Satellites in view"
      subtitle={() => shownWords(shown, rangeText(range))}
      fileName={fileNameOf("in-view", shown)}
      draw={draw}
      csv={() => (counted ? inViewCsv(counted.sky, counted.counts) : "")}
      controls={
        <>
          <PlayControls sky={sky} range={range} />
          <span className="caption truncate flex-auto min-w-0 pl-2">
            {counted && hoverMs !== null ? viewWords(counted, hoverMs) : `Epochs every ${duration(sky.stepMs / 1000)}`}
          </span>
        </>
      }
      className={`${classes["inView"]} flex-none border-t border-line`}
      label="Number of satellites in view over time, by constellation"
      onPoint={(point) => setHoverMs(point ? momentUnder(point, shown) : null)}
      onPress={(point) => {
        const momentMs = momentUnder(point, shown);
        if (momentMs !== null) useMoment.setState({ momentMs: snapToStep(momentMs, sky, range) });
      }}
      foot={<TimeSlider sky={sky} range={range} counted={counted} />}
    >
      <MomentLine sky={sky} range={range} />
    </Figure>
  );
}

function momentUnder(point: PointedAt, { range }: Shown): number | null {
  const { left, width } = plotBox({ ...point, room: VIEW_ROOM });
  const share = (point.x - left) / width;
  return share >= 0 && share <= 1 ? range.startMs + share * (range.endMs - range.startMs) : null;
}

function viewWords({ sky, counts }: Counted, momentMs: number): string {
  const epoch = epochAt(sky, momentMs);
  if (epoch < 0) return `${utc(momentMs)} UTC · no observation`;
  let total = 0;
  const parts: string[] = [];
  for (let kind = 0; kind < KINDS; kind++) {
    const inView = counts[epoch * KINDS + kind] ?? 0;
    total += inView;
    if (inView > 0) parts.push(`${constellationAt(kind).name} ${inView}`);
  }
  return `${utc(sky.timesMs[epoch] ?? momentMs)} UTC · ${total} in view${parts.length > 0 ? `: ${parts.join(", ")}` : ""}`;
}

interface TimeProps {
  readonly sky: Sky;
  readonly range: TimeRange;
}

/** Half the width of the slider's handle, so that its centre aligns with the plot. */
const HANDLE_PX = 8;

/** A slider for the moment, aligned with the plot above. */
function TimeSlider({ sky, range, counted }: TimeProps & { readonly counted: Counted | null }) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  const steps = Math.max(1, Math.ceil((range.endMs - range.startMs) / sky.stepMs) - 1);
  return (
    <div style={{ paddingLeft: LEFT - HANDLE_PX, paddingRight: VIEW_ROOM.right - HANDLE_PX }}>
      <Slider
        label="Moment of the sky plot"
        max={steps}
        page={Math.max(1, Math.round(HOUR_MS / sky.stepMs))}
        value={Math.round((momentMs - range.startMs) / sky.stepMs)}
        text={counted ? viewWords(counted, momentMs) : momentWords(momentMs)}
        onChange={(step) => useMoment.setState({ momentMs: range.startMs + step * sky.stepMs })}
      />
    </div>
  );
}

/** A vertical line at the moment over the plot. */
function MomentLine({ sky, range }: TimeProps) {
  const share = useMoment((s) => (shownMoment(s.momentMs, sky, range) - range.startMs) / (range.endMs - range.startMs));
  return (
    <div className={classes["momentFrame"]} style={{ left: LEFT, right: VIEW_ROOM.right }}>
      <div className="absolute top-0 bottom-0 w-[1px] bg-ink" style={{ left: `${share * 100}%` }} />
    </div>
  );
}

const SPEEDS = [
  { value: "60", label: "1 min/s" },
  { value: "600", label: "10 min/s" },
  { value: "3600", label: "1 h/s" },
  { value: "21600", label: "6 h/s" },
] as const;
type Speed = (typeof SPEEDS)[number]["value"];

/** Plays the sky plot, and shows its time. */
function PlayControls({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const isPlaying = useMoment((s) => s.isPlaying);
  const [speed, setSpeed] = useState<Speed>("600");
  usePlaying(sky, range, Number(speed));
  return (
    <>
      <PlayButton isPlaying={isPlaying} />
      <MemoSelect label="Speed" choices={SPEEDS} value={speed} onChange={setSpeed} />
      <Time sky={sky} range={range} />
    </>
  );
}

const PlayButton = memo(function PlayButton({ isPlaying }: { readonly isPlaying: boolean }) {
  return (
    <IconButton
      label={isPlaying ? "Pause" : "Play"}
      onPress={() => useMoment.setState({ isPlaying: !isPlaying })}
      icon={isPlaying ? Pause : Play}
    />
  );
});

/** A component of its own, because it changes with every frame. */
function Time({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  return <span className="text-quiet">{momentWords(momentMs)}</span>;
}

/** Advances the moment with every frame while playing; stops at the end of the range. @param speed factor relative to real time */
function usePlaying(sky: Sky, range: TimeRange, speed: number): void {
  const isPlaying = useMoment((s) => s.isPlaying);
  const { startMs, endMs } = range;
  useEffect(() => {
    if (!isPlaying) return;
    const lastMs = endMs - sky.stepMs;
    let atMs = shownMoment(useMoment.getState().momentMs, sky, { startMs, endMs });
    // Starts again from the beginning.
    if (atMs >= (sky.timesMs.at(-1) ?? lastMs)) atMs = sky.timesMs[0] ?? startMs;
    let before = performance.now();
    let shownMs = Number.NaN;
    let frame = requestAnimationFrame(function next(now) {
      const movedMs = useMoment.getState().momentMs;
      // Continues from the slider if the user has moved it.
      if (!Number.isNaN(shownMs) && movedMs !== null && movedMs !== shownMs) atMs = movedMs;
      atMs = Math.min(lastMs, atMs + Math.max(0, now - before) * speed);
      before = now;
      shownMs = startMs + Math.floor((atMs - startMs) / sky.stepMs) * sky.stepMs;
      if (shownMs !== movedMs) useMoment.setState({ momentMs: shownMs });
      if (atMs >= lastMs) useMoment.setState({ isPlaying: false });
      else frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [isPlaying, sky, startMs, endMs, speed]);
  useEffect(() => () => useMoment.setState({ isPlaying: false }), []);
}

/** With room for the names on the right. */
const VIEW_ROOM = { right: 76 };
/** Distance of two names. */
const NAME_PX = 13;
const OPACITY = 0.85;

/** Draws stacked areas, one for each constellation, with gaps where nothing was observed. */
function drawInView(columnsOf: (count: number) => ViewColumns, range: TimeRange): SheetPart<VectorShape>["draw"] {
  return (width, height, theme) => {
    const columns = columnsOf(Math.max(1, Math.round(width)));
    const y = { low: 0, high: Math.max(4, Math.ceil(columns.max * 1.05)), label: "Satellites" };
    const { box, shapes } = axes({ width, height, x: { time: range }, y, theme, room: VIEW_ROOM });
    const base = new Float32Array(columns.epochs.length);
    const areas = Array.from({ length: KINDS }, (_, kind): VectorShape => {
      const points = stackedOn(base, columns, kind, box);
      return { kind: "area", points, colour: theme.colour(constellationAt(kind).colour), opacity: OPACITY };
    });
    return [...shapes, ...areas, ...names(columns, box, theme)];
  };
}

/** Returns the steps of a constellation on top of the constellations before it, and raises `base` by them. */
function stackedOn(base: Float32Array, { epochs, mean }: ViewColumns, kind: number, box: Box): number[] {
  const n = epochs.length;
  const points: number[] = [];
  const xOf = (column: number): number => box.left + (column / n) * box.width;
  for (let start = 0; start < n; start++) {
    if (!mean[kind * n + start]) continue;
    const bottom: number[] = [];
    let column = start;
    for (; column < n && mean[kind * n + column]; column++) {
      const [low, high] = [base[column]!, base[column]! + mean[kind * n + column]!];
      base[column] = high;
      points.push(xOf(column), yOf(box, high), xOf(column + 1), yOf(box, high));
      bottom.push(yOf(box, low), xOf(column), yOf(box, low), xOf(column + 1));
    }
    // Backwards along the lower edge.
    points.push(...bottom.toReversed(), Number.NaN, Number.NaN);
    start = column;
  }
  return points;
}

/** Names the constellations beside the last column, so that no legend is needed. */
function names({ epochs, mean }: ViewColumns, box: Box, theme: PlotTheme): VectorShape[] {
  const n = epochs.length;
  const last = epochs.findLastIndex((count) => count > 0);
  const x = box.left + box.width + 6;
  let bottom = 0;
  let lastY = Number.POSITIVE_INFINITY;
  return Array.from({ length: KINDS }, (_, kind) => kind).flatMap((kind): VectorShape[] => {
    const height = mean[kind * n + last] ?? 0;
    if (height === 0) return [];
    const y = Math.min(yOf(box, bottom + height / 2), lastY - NAME_PX);
    bottom += height;
    lastY = y;
    const { name, colour } = constellationAt(kind);
    return [
      { kind: "rect", x, y: y - 4, width: 6, height: 8, colour: theme.colour(colour), opacity: 1 },
      text([x + 9, y + 4], name, theme.colour("--text")),
    ];
  });
}
