import { useEffect, useMemo, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { floorToInterval } from "#shared/time/interval.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { onCacheChange } from "../../stores/cacheQuery.ts";
import { readModeOf, useSelection } from "../../stores/selection.ts";
import { createFrames, type Frame, type FramesQuery, joinedFrame } from "./frames.ts";
import { type Told, useMapState } from "./mapState.ts";

export interface Snapshot {
  /** What is drawn: of the moment, or while it is on its way of the one before; null before the first. */
  readonly frame: Frame | null;
  /** The part of it that is cached. */
  readonly cached: Frame | null;
  /** What the service told of this moment beside the cache; null where it was not asked. */
  readonly told: Told | null;
  /** Names this question at this moment. */
  readonly of: string;
  readonly momentMs: UtcMs;
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
  readonly stepMs: number;
  readonly withinMs: number;
  readonly isLoading: boolean;
  readonly fault: AppFault | null;
  readonly query: FramesQuery;
}

/** Frames that are brought before they are played. */
const AHEAD = 24;
const REFRESH_MS = 1_000;

/** What all stations show at the moment of the slider: what the cache holds, and what the service told beside it. */
export function useSnapshot(connectionId: string, withinSeconds: number): Snapshot {
  const chosen = useSelection();
  const { range, intervalSeconds } = chosen;
  const stations = useCatalogue((s) => s.catalogue.stations);
  const { momentMs: asked, isPlaying, live, told: lastTold } = useMapState();
  const [, setTurn] = useState(0);
  const [fault, setFault] = useState<AppFault | null>(null);
  const last = useRef<Frame | null>(null);

  const stepSeconds = stepOf(range, intervalSeconds);
  const { firstMs, lastMs } = momentsOf(range, stepSeconds);
  const newestMs = useMemo(() => stations.reduce((ms, s) => Math.max(ms, s.dataLastUpdatedMs ?? 0), 0), [stations]);
  const momentMs = snapped(asked ?? Math.min(range.endMs, newestMs || range.endMs), range, stepSeconds);
  const stepMs = 1_000 * stepSeconds;

  // Means stand for the whole of their interval: the nearest may be half of one away.
  const withinMs = Math.min(86_400_000, Math.max(1_000 * withinSeconds, 500 * (intervalSeconds ?? 0)));
  const modeKey = JSON.stringify(readModeOf(chosen));
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
    const ahead = isPlaying ? AHEAD : 0;
    const next = Array.from({ length: ahead }, (_, i) => momentMs + (i + 1) * stepMs).filter((ms) => ms <= lastMs);
    frames.want(momentMs, next);
  }, [frames, query, momentMs, isPlaying, stepMs, lastMs]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onCacheChange(connectionId, () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        frames.refresh();
      }, REFRESH_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [frames, connectionId]);

  const now = frames.at(momentMs);
  if (now) last.current = now;
  const cached = now ?? last.current;
  const of = JSON.stringify([query, momentMs]);
  const told = lastTold?.of === of && !live ? lastTold : null;
  const frame = useMemo(() => (cached && told ? joinedFrame(cached, told.frame) : cached), [cached, told]);
  return {
    frame: live ?? frame,
    cached: live ? null : cached,
    told,
    of,
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

const STEPS_SECONDS = [30, 60, 300, 600, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800] as const;
/** As many moments as a slider is worth having. */
const MOST_MOMENTS = 400;

/** Seconds between the moments of a slider over the range: round, never shorter than the interval. */
function stepOf(range: TimeRange, intervalSeconds: number | null): number {
  const least = Math.max(intervalSeconds ?? 0, durationMs(range) / 1_000 / MOST_MOMENTS);
  return STEPS_SECONDS.find((s) => s >= least) ?? Math.ceil(least / 604_800) * 604_800;
}

/** The moments of a slider: first, last and step, on the grid of UTC. */
function momentsOf(range: TimeRange, stepSeconds: number): { readonly firstMs: UtcMs; readonly lastMs: UtcMs } {
  const lastMs = floorToInterval(range.endMs - 1, stepSeconds);
  const firstMs = Math.min(lastMs, floorToInterval(range.startMs + 1_000 * stepSeconds - 1, stepSeconds));
  return { firstMs, lastMs };
}

/** The moment of the slider nearest to one that may be anywhere. */
function snapped(momentMs: UtcMs, range: TimeRange, stepSeconds: number): UtcMs {
  const { firstMs, lastMs } = momentsOf(range, stepSeconds);
  const stepMs = stepSeconds * 1_000;
  return Math.min(lastMs, Math.max(firstMs, Math.round(momentMs / stepMs) * stepMs));
}
