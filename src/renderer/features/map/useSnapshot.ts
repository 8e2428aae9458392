import { cleanupOf } from "#shared/async.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { durationMs, floorToInterval, type TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { useNewestData } from "../../ask/useNewestData.ts";
import { readModeOf, useSelection } from "../../stores/selection.ts";
import { createFrames, type Frame, type FramesQuery, mergeFrames } from "./frames.ts";
import { useMapState } from "./mapState.ts";

/** Frames that are loaded ahead while playing. */
const AHEAD_FRAMES = 24;
const REFRESH_MS = 1_000;

export type Snapshot = ReturnType<typeof useSnapshot>;

/** Returns the values of all stations at the moment of the slider, from the cache and, if requested, from the service. */
export function useSnapshot(connectionId: string, withinSeconds: number) {
  const selection = useSelection();
  const { range, intervalSeconds } = selection;
  const { momentMs: wantedMs, isPlaying, live, serviceValues: lastServiceValues } = useMapState();
  const [, setTurn] = useState(0);
  const [fault, setFault] = useState<AppFault | null>(null);
  const last = useRef<Frame | null>(null);

  const stepSeconds = stepOf(range, intervalSeconds);
  const newestMs = useNewestData() ?? -Infinity;
  const { firstMs, lastMs } = momentsOf(range, stepSeconds, newestMs);
  const momentMs = snapToStep(wantedMs ?? lastMs, { firstMs, lastMs }, stepSeconds);
  const stepMs = 1_000 * stepSeconds;

  // A mean covers its interval, so the nearest one may be half an interval away.
  const withinMs = Math.min(86_400_000, Math.max(1_000 * withinSeconds, 500 * (intervalSeconds ?? 0)));
  const modeKey = JSON.stringify(readModeOf(selection));
  const query = useMemo<FramesQuery>(
    () => ({ connectionId, variables: SCALAR_VARIABLES, mode: JSON.parse(modeKey) as FramesQuery["mode"], withinMs }),
    [connectionId, modeKey, withinMs],
  );

  const [frames] = useState(() =>
    createFrames(bridge, (problem) => {
      setFault(problem);
      setTurn((n) => n + 1);
    }),
  );
  useEffect(() => () => frames.close(), [frames]);
  useEffect(() => {
    last.current = null;
    frames.setQuery(query);
  }, [frames, query]);
  useEffect(() => {
    const ahead = isPlaying ? AHEAD_FRAMES : 0;
    const next = Array.from({ length: ahead }, (_, i) => momentMs + (i + 1) * stepMs).filter((ms) => ms <= lastMs);
    frames.want(momentMs, next);
  }, [frames, query, momentMs, isPlaying, stepMs, lastMs]);
  useRefreshing(frames, connectionId);

  const now = frames.at(momentMs);
  if (now) last.current = now;
  const cached = now ?? last.current;
  const key = JSON.stringify([query, momentMs]);
  const serviceValues = lastServiceValues?.key === key && !live ? lastServiceValues : null;
  const frame = useMemo(
    () => (cached && serviceValues ? mergeFrames(cached, serviceValues.frame) : cached),
    [cached, serviceValues],
  );
  return {
    /** The drawn frame: of the moment or, while that is loaded, of the previous one; null before the first. */
    frame: live ?? frame,
    /** The cached part of the frame. */
    cached: live ? null : cached,
    /** Values from the service of this moment; null if none were requested. */
    serviceValues,
    /** Identifies the query and the moment. */
    key,
    momentMs,
    firstMs,
    lastMs,
    stepMs,
    withinMs,
    isLoading: !live && !now && !fault,
    fault,
    query,
  };
}

/** Reads the frames again, some time after rows of the cache have changed. */
function useRefreshing(frames: ReturnType<typeof createFrames>, connectionId: string): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        frames.refresh();
      }, REFRESH_MS);
    };
    return cleanupOf(
      bridge.on("cacheChanged", (change) => {
        if (change.connectionId === connectionId) refreshSoon();
      }),
      bridge.on("engineRestarted", refreshSoon),
      () => clearTimeout(timer),
    );
  }, [frames, connectionId]);
}

const STEPS_SECONDS = [30, 60, 300, 600, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800] as const;
const MAX_MOMENTS = 400;

/** Returns the step of the slider in seconds: round, and at least the interval. */
function stepOf(range: TimeRange, intervalSeconds: number | null): number {
  const minimum = Math.max(intervalSeconds ?? 0, durationMs(range) / 1_000 / MAX_MOMENTS);
  return STEPS_SECONDS.find((s) => s >= minimum) ?? Math.ceil(minimum / 604_800) * 604_800;
}

interface Moments {
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
}

/** Returns the first and last moment of the slider: on the grid of UTC, except for the newest data if the range holds them. */
export function momentsOf(range: TimeRange, stepSeconds: number, newestMs: UtcMs): Moments {
  const endMs = floorToInterval(range.endMs - 1, stepSeconds);
  const lastMs = newestMs >= range.startMs && newestMs < range.endMs ? newestMs : endMs;
  const firstMs = Math.min(lastMs, floorToInterval(range.startMs + 1_000 * stepSeconds - 1, stepSeconds));
  return { firstMs, lastMs };
}

/** Returns the moment of the slider nearest to any moment. */
export function snapToStep(momentMs: UtcMs, { firstMs, lastMs }: Moments, stepSeconds: number): UtcMs {
  if (momentMs >= lastMs) return lastMs;
  const stepMs = stepSeconds * 1_000;
  return Math.min(lastMs, Math.max(firstMs, Math.round(momentMs / stepMs) * stepMs));
}
