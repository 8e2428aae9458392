import { useEffect, useMemo, useReducer, useRef } from "react";
import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { variableKind } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { useAnswer } from "../series/useAnswer.ts";
import { createPages, type Pages } from "./pages.ts";
import type { RowSource } from "./source.ts";

const REFRESH_MS = 1_000;

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

/** Why values are absent among the rows in sight; of a file nobody can tell. */
export function useCellGaps({ cached }: RowSource, pages: Pages, from: number, to: number): readonly SeriesGaps[] {
  const first = pages.row(from);
  const last = pages.row(Math.max(from, Math.min(to, pages.total() ?? 0) - 1));
  const range =
    first && last ? { startMs: first.page.timesMs[first.at]!, endMs: last.page.timesMs[last.at]! + 1 } : null;
  const variables = cached?.variables.filter((v) => variableKind(v) === "scalar") ?? [];
  const stationIds = cached?.stationIds ?? [];
  const connectionId = cached?.connectionId ?? "";
  const input = cached && range && { connectionId, stationIds, variables, mode: cached.mode, range, minimumMs: 0 };
  const answer = useAnswer({
    key: input && variables.length > 0 ? JSON.stringify(input) : null,
    family: JSON.stringify([connectionId, stationIds, cached?.mode]),
    restMs: 150,
    connectionId,
    stationIds,
    ask: (signal) => bridge.series.gaps(input!, { signal }),
  });
  return answer.value ?? [];
}
