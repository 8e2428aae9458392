import type { Bridge } from "#shared/bridge/contract.ts";
import type { Snapshots } from "#shared/bridge/methods/snapshot.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import type { AppFault } from "#shared/fault.ts";
import type { NearestAnswer, NearestRow } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";

interface Reading {
  readonly timeMs: UtcMs;
  readonly value: number;
  /** "service": not cached, and lost when the window closes. */
  readonly from: "cache" | "service";
}

/** Values of all stations at one moment. */
export interface Frame {
  readonly momentMs: UtcMs;
  /** Returns null if the station has no value close enough. */
  read(stationId: string, variable: Variable): Reading | null;
}

/** Returns a frame for each moment of an answer. */
export function readFrames({ momentsMs, stationIds, variables }: Snapshots): Frame[] {
  const indexOf = new Map(stationIds.map((id, i) => [id, i]));
  return momentsMs.map((momentMs, m) => ({
    momentMs,
    read(stationId, variable) {
      const [station, nearest] = [indexOf.get(stationId), variables[variable]];
      if (station === undefined || !nearest) return null;
      const at = m * stationIds.length + station;
      const [timeMs = Number.NaN, value = Number.NaN] = [nearest.timesMs[at], nearest.values[at]];
      return Number.isNaN(timeMs) ? null : { timeMs, value, from: "cache" };
    },
  }));
}

/**
 * Combines answers of the service, each with other variables, into a frame.
 *
 * @param wanted stations to include; null: all
 */
export function serviceFrame(
  momentMs: UtcMs,
  answers: readonly NearestAnswer[],
  wanted: ReadonlySet<string> | null = null,
): Frame {
  const isWanted = (row: NearestRow): boolean => wanted?.has(row.stationId) ?? true;
  const rows = answers.map((answer) => new Map(answer.rows.filter(isWanted).map((row) => [row.stationId, row])));
  return {
    momentMs,
    read(stationId, variable) {
      for (const byStation of rows) {
        const row = byStation.get(stationId);
        const value = row?.values[variable];
        if (row && typeof value === "number" && !Number.isNaN(value))
          return { timeMs: row.timeMs, value, from: "service" };
      }
      return null;
    },
  };
}

/** Returns the values of `first`, and of `second` where `first` has none. */
export function mergeFrames(first: Frame, second: Frame): Frame {
  return {
    momentMs: first.momentMs,
    read: (stationId, variable) => first.read(stationId, variable) ?? second.read(stationId, variable),
  };
}

export interface FramesQuery {
  readonly connectionId: string;
  readonly variables: readonly Variable[];
  readonly mode: ReadMode;
  readonly withinMs: number;
}

/** Moments per request: the maximum of the bridge, and few enough for a quick answer. */
const BATCH_SIZE = 16;
const MAX_FRAMES = 120;

/**
 * Frames from the cache, loaded ahead while playing. At most one request is pending at a time.
 *
 * @param onLoad called after each request, with its fault
 */
export function createFrames(bridge: Pick<Bridge, "snapshot">, onLoad: (fault: AppFault | null) => void) {
  let query: FramesQuery | null = null;
  let key = "";
  let frames = new Map<UtcMs, Frame>();
  let stale = new Set<UtcMs>();
  let wanted: readonly UtcMs[] = [];
  let control: AbortController | null = null;
  /** Query that failed and is not retried until the next refresh. */
  let failedKey = "";

  const missingMoments = (): UtcMs[] => wanted.filter((ms) => !frames.has(ms) || stale.has(ms));

  function check(): void {
    if (!query || control || failedKey === key) return;
    const missing = missingMoments();
    const [first] = missing;
    // Frames ahead are loaded in batches, which cost hardly more than a single frame.
    if (first === undefined || (first !== wanted[0] && missing.length < BATCH_SIZE / 2)) return;
    void load(query, missing.slice(0, BATCH_SIZE));
  }

  async function load(
    { connectionId, variables, mode, withinMs }: FramesQuery,
    momentsMs: readonly UtcMs[],
  ): Promise<void> {
    const own = new AbortController();
    control = own;
    for (const ms of momentsMs) stale.delete(ms);
    const answer = await bridge.snapshot.read({ connectionId, variables, mode, withinMs, momentsMs }, own);
    if (control !== own) return;
    control = null;
    if (answer.ok) for (const frame of readFrames(answer.value)) frames.set(frame.momentMs, frame);
    else if (answer.error.kind !== "cancelled") failedKey = key;
    for (const oldest of frames.keys()) {
      if (frames.size <= MAX_FRAMES) break;
      frames.delete(oldest);
    }
    onLoad(answer.ok || answer.error.kind === "cancelled" ? null : answer.error);
    check();
  }

  return {
    setQuery(next: FramesQuery): void {
      const nextKey = JSON.stringify(next);
      if (nextKey === key) return;
      query = next;
      key = nextKey;
      failedKey = "";
      frames = new Map();
      stale = new Set();
      control?.abort();
      control = null;
      check();
    },
    /** @param aheadMs moments that will be needed next */
    want(momentMs: UtcMs, aheadMs: readonly UtcMs[]): void {
      wanted = [momentMs, ...aheadMs];
      check();
    },
    at: (momentMs: UtcMs): Frame | null => frames.get(momentMs) ?? null,
    /** Call when rows have changed; known frames are shown until new ones arrive. */
    refresh(): void {
      stale = new Set(frames.keys());
      failedKey = "";
      check();
    },
    close(): void {
      control?.abort();
      control = null;
      query = null;
    },
  };
}
