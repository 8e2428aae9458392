import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { type LoadOptions, question } from "../../../ask/ask.ts";
import { useAsk } from "../../../ask/useAsk.ts";
import { bridge } from "../../../bridge/index.ts";
import type { Sky } from "./sky.ts";
import { SkyBuilder } from "./skyBuilder.ts";

/** Maximum range, so that data fit into memory and are drawn without delay. */
const MAX_DAYS = 31;
const MAX_EPOCHS = 31 * 2_880;
const EPOCHS_PER_PART = 2_880;

/** Limits a range to its last 31 days at 30 s, or about one day at 1 s. */
export function readableRange(range: TimeRange, stepMs: number): TimeRange {
  const maxMs = Math.min(MAX_DAYS * DAY_MS, MAX_EPOCHS * stepMs);
  return { startMs: Math.max(range.startMs, range.endMs - maxMs), endMs: range.endMs };
}

/** Splits a range at whole days or hours of UTC, like the cache. */
export function loadParts(range: TimeRange, stepMs: number): TimeRange[] {
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
  /** Expected time between epochs. */
  readonly stepMs: number;
}

/** A sky, of which a share from 0 to 1 has been read. */
interface ReadSky {
  readonly sky: Sky;
  readonly share: number;
}

/** Minimum time between progress reports. */
const PROGRESS_INTERVAL_MS = 300;
/** Growth after which figures are redrawn, since they are computed from all data: often at first, rarely later. */
const REDRAW_GROWTH = 1.5;

/** Reads a sky part by part, so that data appear as they are read and reading can be cancelled at any time. */
async function readSky(query: SkyQuery, { signal, onPart }: LoadOptions<ReadSky>): Promise<Result<ReadSky, AppFault>> {
  const { range, mode, connectionId, stationId, stepMs } = query;
  const parts = loadParts(range, stepMs);
  const builder = new SkyBuilder(mode.intervalSeconds === null ? stepMs : mode.intervalSeconds * 1000, parts.length);
  let sky = builder.sky();
  let drawnParts = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  for (const [index, part] of parts.entries()) {
    const answer = await bridge.satellites.read({ connectionId, stationId, range: part, mode }, { signal });
    if (!answer.ok) return answer;
    builder.append(answer.value);
    if (performance.now() - reportedMs < PROGRESS_INTERVAL_MS) continue;
    reportedMs = performance.now();
    if (index + 1 >= REDRAW_GROWTH * drawnParts) {
      drawnParts = index + 1;
      sky = builder.sky();
    }
    onPart({ sky, share: (part.endMs - range.startMs) / (range.endMs - range.startMs) });
  }
  return success({ sky: builder.sky(), share: 1 });
}

const skyOf = question(readSky, { staleAfter: ["cacheChanged"], restMs: 2_000 });

/** Reads the sky of a query, again whenever the cache of its station changes. */
export function useSky(query: SkyQuery) {
  return useAsk(skyOf, query, { delayMs: 0 });
}
