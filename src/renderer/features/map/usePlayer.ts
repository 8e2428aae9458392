import { useEffect, useRef } from "react";
import { showMoment, useMapState } from "./mapState.ts";
import type { Snapshot } from "./useSnapshot.ts";

/** As fast as is comfortable for those who asked the system for less motion. */
const REDUCED_PER_SECOND = 1;

/** Moves the moment on while it plays, no faster than its frames arrive; stops at the end of the time range. */
export function usePlayer(snapshot: Snapshot, framesPerSecond: number): void {
  const isPlaying = useMapState((s) => s.isPlaying);
  const latest = useRef(snapshot);
  latest.current = snapshot;
  useEffect(() => {
    if (!isPlaying) return;
    const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const perSecond = isReduced ? REDUCED_PER_SECOND : framesPerSecond;
    const { momentMs, firstMs, lastMs } = latest.current;
    // At the end it begins again.
    if (momentMs >= lastMs) showMoment(firstMs);
    const timer = setInterval(() => {
      const now = latest.current;
      if (now.fault) return useMapState.setState({ isPlaying: false });
      if (now.isLoading) return;
      if (now.momentMs >= now.lastMs) return useMapState.setState({ isPlaying: false });
      showMoment(now.momentMs + now.stepMs);
    }, 1_000 / perSecond);
    return () => clearInterval(timer);
  }, [isPlaying, framesPerSecond]);
}
