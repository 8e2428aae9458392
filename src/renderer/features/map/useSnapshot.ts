import { useEffect, useMemo, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { momentsOf, snapped, stepOf } from "../../map/moments.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { followCache } from "../../stores/followCache.ts";
import { readModeOf, useChosen } from "../../stores/selection.ts";
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
  const chosen = useChosen();
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
    const off = followCache(connectionId, () => {
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
