import { Pause, Play } from "lucide-react";
import { memo, useEffect, useState } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { Slider } from "../../../ui/Slider.tsx";
import { shownMoment, useMoment } from "../data/moment.ts";
import type { Sky } from "../data/sky.ts";
import { VIEW_LEFT_PX, VIEW_RIGHT_PX } from "../draw/inView.ts";
import { momentWords } from "../words.ts";
import classes from "../satellites.module.css";
import { MemoSelect } from "./memo.ts";

interface TimeProps {
  readonly sky: Sky;
  readonly range: TimeRange;
}

/** Half the width of the slider's handle, so that its centre aligns with the plot. */
const HANDLE_PX = 8;

/** A slider for the moment, aligned with the plot above. */
export function TimeSlider({ sky, range }: TimeProps) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  const steps = Math.max(1, Math.ceil((range.endMs - range.startMs) / sky.stepMs) - 1);
  return (
    <div style={{ paddingLeft: VIEW_LEFT_PX - HANDLE_PX, paddingRight: VIEW_RIGHT_PX - HANDLE_PX }}>
      <Slider
        label="Moment of the sky plot"
        min={0}
        max={steps}
        step={1}
        page={Math.max(1, Math.round(HOUR_MS / sky.stepMs))}
        value={Math.round((momentMs - range.startMs) / sky.stepMs)}
        text={momentWords(momentMs)}
        onChange={(step) => useMoment.setState({ momentMs: range.startMs + step * sky.stepMs })}
      />
    </div>
  );
}

/** A vertical line at the moment over the plot. */
export function MomentLine({ sky, range }: TimeProps) {
  const share = useMoment((s) => (shownMoment(s.momentMs, sky, range) - range.startMs) / (range.endMs - range.startMs));
  return (
    <div className={classes["momentFrame"]} style={{ left: VIEW_LEFT_PX, right: VIEW_RIGHT_PX }}>
      <div className={classes["momentLine"]} style={{ left: `${share * 100}%` }} />
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
export function PlayControls({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
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
    <IconButton label={isPlaying ? "Pause" : "Play"} onPress={() => useMoment.setState({ isPlaying: !isPlaying })}>
      {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
    </IconButton>
  );
});

/** A component of its own, because it changes with every frame. */
function Time({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  return <span className="quiet">{momentWords(momentMs)}</span>;
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
