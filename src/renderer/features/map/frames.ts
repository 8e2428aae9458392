import type { Bridge } from "#shared/bridge/contract.ts";
import type { Snapshots } from "#shared/bridge/methods/snapshot.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import type { AppFault } from "#shared/fault.ts";
import type { NearestAnswer, NearestRow } from "#shared/service/nearest.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";

export interface Reading {
  readonly timeMs: UtcMs;
  readonly value: number;
  /** Whether it is cached, or was only told by the service, and is gone with the window. */
  readonly from: "cache" | "service";
}

/** What all stations showed at one moment. */
export interface Frame {
  readonly momentMs: UtcMs;
  /** null where the station has no value within reach. */
  read(stationId: string, variable: Variable): Reading | null;
}

/** One frame for each moment of an answer. */
export function framesOf({ momentsMs, stationIds, variables }: Snapshots): Frame[] {
  const place = new Map(stationIds.map((id, i) => [id, i]));
  return momentsMs.map((momentMs, m) => ({
    momentMs,
    read(stationId, variable) {
      const [station, nearest] = [place.get(stationId), variables[variable]];
      if (station === undefined || !nearest) return null;
      const at = m * stationIds.length + station;
      const timeMs = nearest.timesMs[at]!;
      return Number.isNaN(timeMs) ? null : { timeMs, value: nearest.values[at]!, from: "cache" };
    },
  }));
}

/**
 * What the service told; each answer brought other variables.
 *
 * @param wanted the stations that were asked about; what came of others is left
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

/** What `first` shows, and where it shows nothing what `second` does. */
export function joinedFrame(first: Frame, second: Frame): Frame {
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

/** Frames of the cache by their moment, brought a few ahead while they play. One request is under way at a time. */
export interface Frames {
  setQuery(query: FramesQuery): void;
  /** @param aheadMs moments that will be wanted next */
  want(momentMs: UtcMs, aheadMs: readonly UtcMs[]): void;
  at(momentMs: UtcMs): Frame | null;
  /** Rows have changed: what is known is good until better arrives. */
  refresh(): void;
  close(): void;
}

/** As many moments as a request may have, and few enough that the first is not kept waiting. */
const TOGETHER = 16;
const MOST_KEPT = 120;

export function createFrames(bridge: Pick<Bridge, "snapshot">, tell: (fault: AppFault | null) => void): Frames {
  let query: FramesQuery | null = null;
  let key = "";
  let frames = new Map<UtcMs, Frame>();
  let stale = new Set<UtcMs>();
  let wanted: readonly UtcMs[] = [];
  let control: AbortController | null = null;
  let refusedKey = "";

  const lacking = (): UtcMs[] => wanted.filter((ms) => !frames.has(ms) || stale.has(ms));

  function check(): void {
    if (!query || control || refusedKey === key) return;
    const lack = lacking();
    const [first] = lack;
    // Not for a single frame at the far end: a few at once cost hardly more than one.
    if (first === undefined || (first !== wanted[0] && lack.length < TOGETHER / 2)) return;
    void load(query, lack.slice(0, TOGETHER));
  }

  async function load(
    { connectionId, variables, mode, withinMs }: FramesQuery,
    momentsMs: readonly UtcMs[],
  ): Promise<void> {
    const mine = new AbortController();
    control = mine;
    for (const ms of momentsMs) stale.delete(ms);
    const answer = await bridge.snapshot.read({ connectionId, variables, mode, withinMs, momentsMs }, mine);
    if (control !== mine) return;
    control = null;
    if (answer.ok) for (const frame of framesOf(answer.value)) frames.set(frame.momentMs, frame);
    else if (answer.error.kind !== "cancelled") refusedKey = key;
    for (const oldest of frames.keys()) {
      if (frames.size <= MOST_KEPT) break;
      frames.delete(oldest);
    }
    tell(answer.ok || answer.error.kind === "cancelled" ? null : answer.error);
    check();
  }

  return {
    setQuery(next) {
      const nextKey = JSON.stringify(next);
      if (nextKey === key) return;
      query = next;
      key = nextKey;
      refusedKey = "";
      frames = new Map();
      stale = new Set();
      control?.abort();
      control = null;
      check();
    },
    want(momentMs, aheadMs) {
      wanted = [momentMs, ...aheadMs];
      check();
    },
    at: (momentMs) => frames.get(momentMs) ?? null,
    refresh() {
      stale = new Set(frames.keys());
      refusedKey = "";
      check();
    },
    close() {
      control?.abort();
      control = null;
      query = null;
    },
  };
}
