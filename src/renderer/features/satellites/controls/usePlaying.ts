import { useEffect } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { shownMoment, useMoment } from "../data/moment.ts";
import type { Sky } from "../data/sky.ts";

/** Moves the moment while it plays, from frame to frame; stops at the end of the range. @param speed times faster than the sky */
export function usePlaying(sky: Sky, range: TimeRange, speed: number): void {
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
