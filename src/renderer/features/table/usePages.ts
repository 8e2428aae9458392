import { useEffect, useMemo, useReducer, useRef } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import { createPages, type Pages } from "./pages.ts";
import type { RowSource } from "./source.ts";

const REFRESH_MS = 1_000;
/** Between two observations of a station. */
const LONGEST_STEP_SECONDS = 1_800;

/** Pages of the rows: of every source its own, fetched again when something arrives for it. */
export function usePages(source: RowSource): Pages {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const { key } = source;
  const latest = useRef(source);
  latest.current = source;
  const pages = useMemo(() => {
    const asked = latest.current;
    return createPages((offset, limit, signal) => asked.page(asked.range, offset, limit, signal), redraw);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source: the object is new with every render
  }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = latest.current.follow(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        pages.refresh();
      }, REFRESH_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
      pages.close();
    };
  }, [pages]);
  return pages;
}

/** From the first to after the last moment of the rows in sight, in whatever order they are. */
function timesOf(pages: Pages, from: number, to: number): TimeRange | null {
  let [startMs, endMs] = [Infinity, -Infinity];
  for (let row = from; row < to; row++) {
    const place = pages.row(row);
    const timeMs = place?.page.timesMs[place.at];
    if (timeMs === undefined) continue;
    startMs = Math.min(startMs, timeMs);
    endMs = Math.max(endMs, timeMs + 1);
  }
  return startMs < endMs ? { startMs, endMs } : null;
}

/** Why values are absent among the rows in sight; of a file nobody can tell. */
export function useCellGaps({ cached }: RowSource, pages: Pages, from: number, to: number): readonly SeriesGaps[] {
  const seen = timesOf(pages, from, to);
  // The end of a gap may lie beyond the rows: what is shorter than a step is none.
  const marginMs = 2_000 * Math.max(LONGEST_STEP_SECONDS, cached?.mode.intervalSeconds ?? 0);
  const range = seen && { startMs: seen.startMs - marginMs, endMs: seen.endMs + marginMs };
  const variables = cached?.variables.filter((v) => variableKind(v) === "scalar") ?? [];
  const stationIds = cached?.stationIds ?? [];
  const connectionId = cached?.connectionId ?? "";
  const input = cached && range && { connectionId, stationIds, variables, mode: cached.mode, range, minimumMs: 0 };
  const answer = useSeriesQuery({
    key: input && variables.length > 0 ? JSON.stringify(input) : null,
    retainFor: JSON.stringify([connectionId, stationIds, cached?.mode]),
    delayMs: 150,
    connectionId,
    stationIds,
    load: (signal) => bridge.series.gaps(input!, { signal }),
  });
  return answer.value ?? [];
}
