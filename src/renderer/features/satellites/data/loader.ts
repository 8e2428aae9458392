import type { Bridge } from "#shared/bridge/contract.ts";
import type { AppFault } from "#shared/fault.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Sky } from "./sky.ts";
import { createSkyBuilder } from "./skyBuilder.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";

/** The most that is read at once: what fits into memory as numbers and is drawn without waiting. */
const MOST_DAYS = 31;
const MOST_EPOCHS = 31 * 2_880;
const EPOCHS_PER_PART = 2_880;

/** The end of the range as far as it is read: 31 days at 30 s, about a day at 1 s. */
export function readableRange(range: TimeRange, stepMs: number): TimeRange {
  const mostMs = Math.min(MOST_DAYS * DAY_MS, MOST_EPOCHS * stepMs);
  return { startMs: Math.max(range.startMs, range.endMs - mostMs), endMs: range.endMs };
}

/** Parts that are read one after the other: whole days or hours of UTC as the cache keeps them, cut to the range. */
export function partsOf(range: TimeRange, stepMs: number): TimeRange[] {
  const partMs = EPOCHS_PER_PART * stepMs >= DAY_MS ? DAY_MS : HOUR_MS;
  const parts: TimeRange[] = [];
  for (let startMs = range.startMs; startMs < range.endMs;) {
    const endMs = Math.min(range.endMs, (Math.floor(startMs / partMs) + 1) * partMs);
    parts.push({ startMs, endMs });
    startMs = endMs;
  }
  return parts;
}

export interface SkyQuery {
  readonly connectionId: string;
  readonly stationId: string;
  readonly range: TimeRange;
  readonly mode: SeriesMode;
  /** Expected distance of epochs. */
  readonly stepMs: number;
}

export interface SkyLoad {
  /** The query that all of this is about. */
  readonly query: SkyQuery | null;
  /** As far as it is read; null before the first part. */
  readonly sky: Sky | null;
  readonly isLoading: boolean;
  /** Whether it is read for the first time: not again, because the cache changed. */
  readonly isFirst: boolean;
  /** Of the range, 0 to 1. */
  readonly share: number;
  readonly fault: AppFault | null;
}

export const NO_SKY: SkyLoad = {
  query: null,
  sky: null,
  isLoading: false,
  isFirst: true,
  share: 0,
  fault: null,
};

export interface SkyLoader {
  want(query: SkyQuery): void;
  /** Reads the same again; what is shown stays until that is done. */
  refresh(): void;
  close(): void;
}

/** How far it is, is told no more often. */
const TELL_MS = 300;
/** Figures are made anew of all that is there: often while it is little, seldom when it is much. */
const GROWTH = 1.5;

/** Reads a sky part by part, so that a month appears as it is read and can be left at any time. */
export function createSkyLoader(source: Bridge["satellites"], tell: (load: SkyLoad) => void): SkyLoader {
  let control = new AbortController();
  let load: SkyLoad = NO_SKY;
  const say = (next: SkyLoad): void => tell((load = next));

  async function read(query: SkyQuery, shown: Sky | null): Promise<void> {
    control.abort();
    const mine = new AbortController();
    control = mine;
    const { range, mode, connectionId, stationId, stepMs } = query;
    const parts = partsOf(range, stepMs);
    const nominalStepMs = mode.intervalSeconds === null ? stepMs : mode.intervalSeconds * 1000;
    const builder = createSkyBuilder(nominalStepMs, parts.length);
    say({ query, sky: shown, isLoading: true, isFirst: shown === null, share: 0, fault: null });
    let toldMs = Number.NEGATIVE_INFINITY;
    let toldParts = 0;
    for (const [index, part] of parts.entries()) {
      const answer = await source.read({ connectionId, stationId, range: part, mode }, mine);
      if (mine.signal.aborted) return;
      if (!answer.ok) return say({ ...load, isLoading: false, fault: answer.error });
      builder.append(answer.value);
      const share = (part.endMs - range.startMs) / (range.endMs - range.startMs);
      if (performance.now() - toldMs < TELL_MS || share === 1) continue;
      toldMs = performance.now();
      const isGrown = shown === null && index + 1 >= GROWTH * toldParts;
      if (isGrown) toldParts = index + 1;
      say({ ...load, sky: isGrown ? builder.sky() : load.sky, share });
    }
    say({ ...load, sky: builder.sky(), isLoading: false, share: 1 });
  }

  return {
    want(query) {
      void read(query, null);
    },
    refresh() {
      if (load.query) void read(load.query, load.sky);
    },
    close: () => control.abort(),
  };
}
