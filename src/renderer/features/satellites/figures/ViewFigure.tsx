import { memo, useCallback, useEffect, useMemo, useState } from "react";
import { Pause, Play } from "lucide-react";
import type { TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { duration, utc } from "../../../ui/text.ts";
import { constellationAt } from "../constellations.ts";
import { inViewCsv } from "./csv.ts";
import { drawInView, VIEW_ROOM } from "../draw/inView.ts";
import { type Draw, Figure } from "./Figure.tsx";
import { LEFT, plotBox } from "#shared/plot/figure/axes.ts";
import type { PointedAt } from "../../../plot/figure/SceneCanvas.tsx";
import { countInView, KINDS, viewColumns } from "../data/inView.ts";
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
        min={0}
        max={steps}
        step={1}
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
