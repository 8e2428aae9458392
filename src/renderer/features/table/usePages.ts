import { useEffect, useMemo, useReducer } from "react";
import type { SeriesGaps } from "#shared/bridge/series.ts";
import type { ReadMode } from "#shared/bridge/words.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { useAnswer } from "../series/useAnswer.ts";
import { createPages, type Pages } from "./pages.ts";

export interface RowQuery {
  readonly connectionId: string;
  readonly stationId: string;
  readonly variables: readonly Variable[];
  readonly range: TimeRange;
  readonly mode: ReadMode;
}

const REFRESH_MS = 1_000;

/** Pages of the rows: of every question its own, fetched again when something arrives for the station. */
export function usePages(query: RowQuery): Pages {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const key = JSON.stringify(query);
  const pages = useMemo(() => {
    const asked = JSON.parse(key) as RowQuery;
    return createPages((offset, limit, signal) => bridge.series.page({ ...asked, offset, limit }, { signal }), redraw);
  }, [key]);
  const { connectionId, stationId } = query;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        pages.refresh();
      }, REFRESH_MS);
    };
    const offCache = bridge.on("cacheChanged", (change) => {
      const isMine = change.stationIds === null || change.stationIds.includes(stationId);
      if (change.connectionId === connectionId && isMine) again();
    });
    const offEngine = bridge.on("engineRestarted", again);
    return () => {
      offCache();
      offEngine();
      clearTimeout(timer);
      pages.close();
    };
  }, [pages, connectionId, stationId]);
  return pages;
}

/** Why values are absent among the rows in sight. */
export function useCellGaps(query: RowQuery, pages: Pages, from: number, to: number): readonly SeriesGaps[] {
  const first = pages.row(from);
  const last = pages.row(Math.max(from, Math.min(to, pages.total() ?? 0) - 1));
  const variables = query.variables.filter((v) => variableKind(v) === "scalar");
  const range =
    first && last ? { startMs: first.page.timesMs[first.at]!, endMs: last.page.timesMs[last.at]! + 1 } : null;
  const { connectionId, stationId, mode } = query;
  const input = range && { connectionId, stationIds: [stationId], variables, mode, range, minimumMs: 0 };
  const answer = useAnswer({
    key: input && variables.length > 0 ? JSON.stringify(input) : null,
    family: JSON.stringify([connectionId, stationId, mode]),
    restMs: 150,
    connectionId,
    stationIds: [stationId],
    ask: (signal) => bridge.series.gaps(input!, { signal }),
  });
  return answer.value ?? [];
}
