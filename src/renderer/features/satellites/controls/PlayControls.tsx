import { Pause, Play } from "lucide-react";
import { memo, useState, useEffect } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { shownMoment, useMoment } from "../data/moment.ts";
import { QuietSelect } from "./quiet.ts";
import classes from "../satellites.module.css";
import type { Sky } from "../data/sky.ts";
import { momentWords } from "../words.ts";

const SPEEDS = [
  { value: "60", label: "1 min/s" },
  { value: "600", label: "10 min/s" },
  { value: "3600", label: "1 h/s" },
  { value: "21600", label: "6 h/s" },
] as const;
type Speed = (typeof SPEEDS)[number]["value"];

/** Lets the time run, and says what it is. */
export function PlayControls({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const isPlaying = useMoment((s) => s.isPlaying);
  const [speed, setSpeed] = useState<Speed>("600");
  usePlaying(sky, range, Number(speed));
  return (
    <>
      <PlayButton isPlaying={isPlaying} />
      <QuietSelect label="Speed" choices={SPEEDS} value={speed} onChange={setSpeed} />
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

/** By itself, because it changes with every frame of a movement. */
function Time({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  return <span className={classes["time"]}>{momentWords(momentMs)}</span>;
}

/** Moves the moment while it plays, from frame to frame; stops at the end of the range. @param speed times faster than the sky */
function usePlaying(sky: Sky, range: TimeRange, speed: number): void {
  const isPlaying = useMoment((s) => s.isPlaying);
  const { startMs, endMs } = range;
  useEffect(() => {
    if (!isPlaying) return;
    const lastMs = endMs - sky.stepMs;
    let atMs = shownMoment(useMoment.getState().momentMs, sky, { startMs, endMs });
    // At the end it begins again.
    if (atMs >= (sky.timesMs.at(-1) ?? lastMs)) atMs = sky.timesMs[0] ?? startMs;
    let before = performance.now();
    let shownMs = Number.NaN;
    let frame = requestAnimationFrame(function next(now) {
      const movedMs = useMoment.getState().momentMs;
      // The slider was moved meanwhile: on from there.
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
