import { cleanupOf } from "#shared/async.ts";
import { useEffect, useRef, useState } from "react";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { AppFault } from "#shared/fault.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
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
  /** Expected time between epochs. */
  readonly stepMs: number;
}

export interface SkyLoad {
  readonly query: SkyQuery | null;
  /** The data read so far; null before the first part. */
  readonly sky: Sky | null;
  readonly isLoading: boolean;
  /** False while the same query is read again after a change of the cache. */
  readonly isFirst: boolean;
  /** Progress, 0 to 1. */
  readonly share: number;
  readonly fault: AppFault | null;
}

const NO_SKY: SkyLoad = {
  query: null,
  sky: null,
  isLoading: false,
  isFirst: true,
  share: 0,
  fault: null,
};

type SkyLoader = ReturnType<typeof createSkyLoader>;

/** Minimum time between progress reports. */
const PROGRESS_INTERVAL_MS = 300;
/** Growth after which figures are redrawn, since they are computed from all data: often at first, rarely later. */
const REDRAW_GROWTH = 1.5;

/** Reads a sky part by part, so that data appear as they are read and reading can be cancelled at any time. */
function createSkyLoader(source: Bridge["satellites"], onChange: (load: SkyLoad) => void) {
  let control = new AbortController();
  let load: SkyLoad = NO_SKY;
  const publish = (next: SkyLoad): void => onChange((load = next));

  async function read(query: SkyQuery, shown: Sky | null): Promise<void> {
    control.abort();
    const own = new AbortController();
    control = own;
    const { range, mode, connectionId, stationId, stepMs } = query;
    const parts = partsOf(range, stepMs);
    const nominalStepMs = mode.intervalSeconds === null ? stepMs : mode.intervalSeconds * 1000;
    const builder = new SkyBuilder(nominalStepMs, parts.length);
    publish({ query, sky: shown, isLoading: true, isFirst: shown === null, share: 0, fault: null });
    let publishedMs = Number.NEGATIVE_INFINITY;
    let drawnParts = 0;
    for (const [index, part] of parts.entries()) {
      const answer = await source.read({ connectionId, stationId, range: part, mode }, own);
      if (own.signal.aborted) return;
      if (!answer.ok) return publish({ ...load, isLoading: false, fault: answer.error });
      builder.append(answer.value);
      const share = (part.endMs - range.startMs) / (range.endMs - range.startMs);
      if (performance.now() - publishedMs < PROGRESS_INTERVAL_MS || share === 1) continue;
      publishedMs = performance.now();
      const isGrown = shown === null && index + 1 >= REDRAW_GROWTH * drawnParts;
      if (isGrown) drawnParts = index + 1;
      publish({ ...load, sky: isGrown ? builder.sky() : load.sky, share });
    }
    publish({ ...load, sky: builder.sky(), isLoading: false, share: 1 });
  }

  return {
    read(query: SkyQuery): void {
      void read(query, null);
    },
    /** Reads the query again; the previous sky is kept until that is complete. */
    refresh(): void {
      if (load.query) void read(load.query, load.sky);
    },
    close: (): void => control.abort(),
  };
}

const REFRESH_MS = 2_000;
/** Delay while nothing is drawn yet. */
const FIRST_REFRESH_MS = 50;

/** Reads the sky of a query, again whenever the cache of its station changes. */
export function useSky(query: SkyQuery): SkyLoad & { readonly isOutdated: boolean; retry(): void } {
  const [load, setLoad] = useState<SkyLoad>(NO_SKY);
  const [isOutdated, setOutdated] = useState(false);
  const loader = useRef<SkyLoader | null>(null);
  const isLoading = useRef(false);
  const isEmpty = useRef(false);
  const { connectionId, stationId } = query;

  useEffect(() => {
    const created = createSkyLoader(bridge.satellites, (next) => {
      isLoading.current = next.isLoading;
      isEmpty.current = next.sky?.timesMs.length === 0;
      setLoad(next);
      if (next.isLoading) setOutdated(false);
    });
    loader.current = created;
    return () => created.close();
  }, []);

  const key = JSON.stringify(query);
  useEffect(() => loader.current?.read(JSON.parse(key) as SkyQuery), [key]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = (): void => {
      setOutdated(true);
      timer ??= setTimeout(
        () => {
          timer = undefined;
          // Reading is completed first; otherwise it would never finish during a long download.
          if (isLoading.current) refreshSoon();
          else loader.current?.refresh();
        },
        isEmpty.current ? FIRST_REFRESH_MS : REFRESH_MS,
      );
    };
    return cleanupOf(
      bridge.on("cacheChanged", (change) => {
        if (change.connectionId === connectionId && (change.stationIds?.includes(stationId) ?? true)) refreshSoon();
      }),
      bridge.on("engineRestarted", refreshSoon),
      () => clearTimeout(timer),
    );
  }, [connectionId, stationId]);

  const isOfQuery = load.query !== null && JSON.stringify(load.query) === key;
  const shown = isOfQuery ? load : { ...NO_SKY, isLoading: true };
  return { ...shown, isOutdated, retry: () => loader.current?.refresh() };
}
