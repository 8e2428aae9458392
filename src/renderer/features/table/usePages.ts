import { useEffect, useMemo, useReducer, useRef } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { variableKind } from "#shared/service/variables.ts";
import { intersectRange, type TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import { createPages, type Pages } from "./pages.ts";
import type { RowQuery, RowSource } from "./source.ts";

const REFRESH_MS = 1_000;
/** Maximum time between two observations of a station. */
const MAX_STEP_SECONDS = 1_800;

/** Returns the pages of a source, which are fetched again when its rows change. */
export function usePages(source: RowSource): Pages {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const { key } = source;
  const latest = useRef(source);
  latest.current = source;
  const pages = useMemo(() => {
    const { current } = latest;
    return createPages((offset, limit, signal) => current.page(current.range, offset, limit, signal), redraw);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source, a new object in every render
  }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unfollow = latest.current.follow(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        pages.refresh();
      }, REFRESH_MS);
    });
    return () => {
      unfollow();
      clearTimeout(timer);
      pages.close();
    };
  }, [pages]);
  return pages;
}

/** Returns the time range of the visible rows, in any order; null without rows. */
function timesOf(pages: Pages, from: number, to: number): TimeRange | null {
  let [startMs, endMs] = [Infinity, -Infinity];
  for (let row = from; row < to; row++) {
    const location = pages.row(row);
    if (!location) continue;
    startMs = Math.min(startMs, location.timeMs);
    endMs = Math.max(endMs, location.timeMs + 1);
  }
  return startMs < endMs ? { startMs, endMs } : null;
}

/**
 * Returns the range of the gaps that visible rows may show. A gap may extend beyond the rows, and only counts as a gap if it
 * is longer than a step. The time range of the table limits it: the epoch of a step that begins before it was not requested,
 * and is no gap of the table.
 */
export function gapsRange(seen: TimeRange, { range, mode }: Pick<RowQuery, "range" | "mode">): TimeRange {
  const marginMs = 2_000 * Math.max(MAX_STEP_SECONDS, mode.intervalSeconds ?? 0);
  return intersectRange({ startMs: seen.startMs - marginMs, endMs: seen.endMs + marginMs }, range);
}

/** Returns the gaps within the visible rows, with their causes; none for rows of a file. */
export function useCellGaps({ cached }: RowSource, pages: Pages, from: number, to: number): readonly SeriesGaps[] {
  const seen = timesOf(pages, from, to);
  const range = seen && cached && gapsRange(seen, cached);
  const variables = cached?.variables.filter((v) => variableKind(v) === "scalar") ?? [];
  const answer = useSeriesQuery({
    input: cached && range && variables.length > 0 ? { ...cached, variables, range, minimumMs: 0 } : null,
    load: bridge.series.gaps,
    retainFor: [cached?.connectionId, cached?.stationIds, cached?.mode],
    delayMs: 150,
  });
  return answer.value ?? [];
}
