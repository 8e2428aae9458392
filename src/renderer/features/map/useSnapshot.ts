import { useMemo, useRef } from "react";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { SCALAR_VARIABLES, type Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { durationMs, floorToInterval, type TimeRange } from "#shared/time/range.ts";
import { snapshotsOf } from "../../ask/questions.ts";
import { useAskEach } from "../../ask/useAsk.ts";
import { useNewestData } from "../../ask/useNewestData.ts";
import { readModeOf, useSelection } from "../../stores/selection.ts";
import { type Frame, mergeFrames, readFrames } from "./frames.ts";
import { useMapState } from "./mapState.ts";
import { useConnectionId } from "../../stores/connection.ts";

/** Moments per call while playing. */
const BATCH_SIZE = 16;

/** Selects the values of all stations. */
interface FramesQuery {
  readonly connectionId: string;
  readonly variables: readonly Variable[];
  readonly mode: ReadMode;
  readonly withinMs: number;
}

export type Snapshot = ReturnType<typeof useSnapshot>;

/** Returns the values of all stations at the moment of the slider, from the cache and, if requested, from the service. */
export function useSnapshot(withinSeconds: number) {
  const connectionId = useConnectionId();
  const selection = useSelection();
  const { range, intervalSeconds } = selection;
  const { momentMs: wantedMs, isPlaying, live, serviceValues: lastServiceValues } = useMapState();
  const last = useRef<{ readonly queryKey: string; readonly frame: Frame } | null>(null);

  const stepSeconds = sliderStep(range, intervalSeconds);
  const newestMs = useNewestData() ?? -Infinity;
  const { firstMs, lastMs } = sliderMoments(range, stepSeconds, newestMs);
  const momentMs = snapToStep(wantedMs ?? lastMs, { firstMs, lastMs }, stepSeconds);
  const stepMs = 1_000 * stepSeconds;

  // A mean covers its interval, so the nearest one may be half an interval away.
  const withinMs = Math.min(86_400_000, Math.max(1_000 * withinSeconds, 500 * (intervalSeconds ?? 0)));
  const modeKey = JSON.stringify(readModeOf(selection));
  const query = useMemo<FramesQuery>(
    () => ({ connectionId, variables: SCALAR_VARIABLES, mode: JSON.parse(modeKey) as FramesQuery["mode"], withinMs }),
    [connectionId, modeKey, withinMs],
  );

  const batches = batchesOf(momentMs, isPlaying, { firstMs, lastMs }, stepMs);
  const answers = useAskEach(
    snapshotsOf,
    batches.map((momentsMs) => ({ ...query, momentsMs })),
  );
  const fault = answers.find((answer) => answer.fault)?.fault ?? null;
  const [read, ahead] = [answers[0]?.value ?? null, answers[1]?.value ?? null];
  const frames = useMemo(() => [read, ahead].flatMap((value) => (value ? readFrames(value) : [])), [read, ahead]);
  const now = frames.find((found) => found.momentMs === momentMs);
  const queryKey = JSON.stringify(query);
  if (now) last.current = { queryKey, frame: now };
  const cached = now ?? (last.current?.queryKey === queryKey ? last.current.frame : null);
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

/**
 * Returns the moments to read in each call: the shown one or, while playing, those around it and the next ones, which cost
 * little more together and then are there in time.
 */
function batchesOf(momentMs: UtcMs, isPlaying: boolean, { firstMs, lastMs }: Moments, stepMs: number): UtcMs[][] {
  if (!isPlaying) return [[momentMs]];
  const batchMs = BATCH_SIZE * stepMs;
  const startMs = firstMs + Math.floor((momentMs - firstMs) / batchMs) * batchMs;
  const batchAt = (fromMs: UtcMs): UtcMs[] => {
    const all = Array.from({ length: BATCH_SIZE }, (_, i) => Math.min(lastMs, fromMs + i * stepMs));
    return [...new Set(all)];
  };
  return startMs + batchMs > lastMs ? [batchAt(startMs)] : [batchAt(startMs), batchAt(startMs + batchMs)];
}

const STEPS_SECONDS = [30, 60, 300, 600, 900, 1_800, 3_600, 10_800, 21_600, 43_200, 86_400, 604_800] as const;
const MAX_MOMENTS = 400;

/** Returns the step of the slider in seconds: round, and at least the interval. */
function sliderStep(range: TimeRange, intervalSeconds: number | null): number {
  const minimum = Math.max(intervalSeconds ?? 0, durationMs(range) / 1_000 / MAX_MOMENTS);
  return STEPS_SECONDS.find((s) => s >= minimum) ?? Math.ceil(minimum / 604_800) * 604_800;
}

interface Moments {
  readonly firstMs: UtcMs;
  readonly lastMs: UtcMs;
}

/** Returns the first and last moment of the slider: on the grid of UTC, except for the newest data if the range holds them. */
export function sliderMoments(range: TimeRange, stepSeconds: number, newestMs: UtcMs): Moments {
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
