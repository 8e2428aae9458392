import { cleanupOf } from "#shared/async.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { shallow } from "zustand/shallow";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { AXIS_LEFT_PX } from "../../plot/options.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import { createStage, type Stage } from "../../plot/stage.ts";
import { snapToUnits } from "../../plot/view.ts";
import { showRange, type ShownTime } from "../../stores/range.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import { fileQueryOf, fileWindows } from "../files/shownSeries.ts";
import { useFiles } from "../files/store.ts";
import { BESIDE, earlierWindows, readBeside, shiftOf } from "./beside.ts";
import { createLoader, type Loaded, type Loader } from "./loader.ts";
import { readAheadWindows, setPlotWidth } from "./readAhead.ts";
import { type PlotSubject, rejectedQueryOf, queryOf, type SeriesQuery, subjectOf } from "./query.ts";

/** Rest after a movement before the view becomes the time range of all views. */
const SETTLE_MS = 200;
/** Rest after a movement before raw rows are loaded. */
const REST_MS = 150;

export interface Plot {
  readonly stage: Stage;
  /** The plotted selection. A newly selected station is added together with its line, or after a timeout. */
  readonly subject: PlotSubject;
  readonly loaded: Loaded;
  /** Raw rows behind the lines, if they are shown. */
  readonly behind: Loaded;
  /** Data of the earlier time drawn beside the range, by station. */
  readonly beside: Loaded;
  /** Series of opened files, by line id. */
  readonly files: Loaded;
  /** Moves the view like the pointer: drawn at once, applied to the time range when it rests. */
  move(change: (view: TimeRange) => TimeRange): void;
  reset(): void;
  retry(): void;
}

interface PlotEvents {
  readonly onCursor: (place: CursorPlace | null) => void;
  readonly onPress: (place: CursorPlace) => void;
}

/** Cached lines arrive within this time; until then, the plot is unchanged. */
const LINES_TIMEOUT_MS = 200;

type Drawn = Pick<Plot, "subject" | "loaded">;

const NOTHING: Loaded = { windows: new Map(), isLoading: true, fault: null };

/** Requests windows of rejected data. */
const rejectedWindows: Pick<Bridge["series"], "window"> = {
  window: (input, options) => bridge.series.window({ ...input, behind: true }, options),
};

/** Creates the stage, loads its data, and keeps its view and the time range of the workspace in sync. */
export function usePlot(connectionId: string, host: React.RefObject<HTMLElement | null>, events: PlotEvents): Plot {
  // One state, so that a station and its line appear in the same frame.
  const [{ subject, loaded }, setDrawn] = useState<Drawn>(() => ({
    subject: subjectOf(useWorkspace.getState()),
    loaded: NOTHING,
  }));
  const [behind, setRejected] = useState<Loaded>(NOTHING);
  const [beside, setBeside] = useState<Loaded>(NOTHING);
  const [files, setFiles] = useState<Loaded>(NOTHING);
  const latest = useRef(events);
  latest.current = events;
  const parts = useRef<Parts | null>(null);

  parts.current ??= ((): Parts => {
    const moves = createMoves(() => stage);
    const stage = createStage(useWorkspace.getState().range, {
      onView(view) {
        moves.onMove(view);
        setViewOfAll(parts.current, view, host.current);
      },
      onReset: () => moves.reset(),
      onCursor: (place) => latest.current.onCursor(place),
      onPress: (place) => latest.current.onPress(place),
    });
    return { stage, moves, loaders: [] };
  })();
  const { stage, moves } = parts.current;

  useEffect(() => {
    let drawn: Drawn = { subject: subjectOf(useWorkspace.getState()), loaded: NOTHING };
    let latestLoaded = NOTHING;
    let linesTimer: ReturnType<typeof setTimeout> | undefined;
    const drawNow = (): void => {
      clearTimeout(linesTimer);
      linesTimer = undefined;
      const selected = subjectOf(useWorkspace.getState());
      const subject = shallow(drawn.subject, selected) ? drawn.subject : selected;
      if (subject !== drawn.subject || latestLoaded !== drawn.loaded) drawn = { subject, loaded: latestLoaded };
      setDrawn(drawn);
    };
    const drawSoon = (): void => {
      const selected = subjectOf(useWorkspace.getState());
      const isComplete = !lacksLines(queryOf(selected, connectionId), latestLoaded);
      if (isComplete || shallow(drawn.subject, selected)) return drawNow();
      stage.markPending();
      linesTimer ??= setTimeout(drawNow, LINES_TIMEOUT_MS);
    };
    const lines = createLoader(readAheadWindows, (next, hasArrived) => {
      latestLoaded = next;
      // New data is drawn before anything else.
      if (hasArrived) flushSync(drawNow);
      else drawSoon();
    });
    // Changes of the loading state alone are not drawn, because they would cost a frame.
    const rawRows = loadAtRest(
      createLoader(rejectedWindows, (next) =>
        setRejected((now) => (now.windows === next.windows && now.fault === next.fault ? now : next)),
      ),
    );
    const opened = createLoader(fileWindows, (next, hasArrived) => {
      if (hasArrived || next.windows.size === 0) setFiles(next);
      else setFiles((now) => (now.windows === next.windows && now.fault === next.fault ? now : next));
    });
    let besideMs = 0;
    const earlier = createLoader(
      earlierWindows(() => besideMs),
      (next, hasArrived) => {
        if (hasArrived || next.windows.size === 0) setBeside(next);
      },
    );
    const loaders = [lines, rawRows, opened, earlier];
    if (parts.current) parts.current.loaders = loaders;
    let knownRange: TimeRange | null = null;
    // Subscribes to the store directly, so that the request is sent before React rerenders the list.
    const follow = (workspace: Workspace): void => {
      if (workspace.range !== knownRange) {
        knownRange = workspace.range;
        moves.onRange(knownRange);
        setViewOfAll(parts.current, knownRange, host.current);
      }
      const query = queryOf(subjectOf(workspace), connectionId);
      // Without a scalar variable, the plot is about to be unmounted.
      if (query.variables.length > 0) lines.setQuery(query);
      drawSoon();
      rawRows.setQuery(rejectedQueryOf(workspace, connectionId));
      opened.setQuery(fileQueryOf(workspace));
      const shiftMs = shiftOf(readBeside(workspace.panes[BESIDE]), workspace.range);
      // Windows of another shift are of another time.
      if (shiftMs !== besideMs) earlier.setQuery(null);
      besideMs = shiftMs;
      earlier.setQuery(shiftMs === 0 || query.variables.length === 0 ? null : query);
    };
    follow(useWorkspace.getState());
    return cleanupOf(
      useWorkspace.subscribe(follow),
      useSettings.subscribe(() => follow(useWorkspace.getState())),
      useFiles.subscribe(() => follow(useWorkspace.getState())),
      bridge.on("cacheChanged", (change) => {
        if (change.connectionId === connectionId)
          for (const loader of [lines, rawRows, earlier]) loader.refresh(change.stationIds);
      }),
      bridge.on("engineRestarted", () => {
        for (const loader of loaders) loader.retry();
      }),
      ...loaders.map((loader) => () => loader.close()),
      () => clearTimeout(linesTimer),
      () => moves.close(),
    );
  }, [stage, moves, host, connectionId]);

  return useMemo(
    () => ({
      stage,
      subject,
      loaded,
      behind,
      beside,
      files,
      move(change) {
        const view = change(stage.view());
        stage.setView(view);
        moves.onMove(view);
        setViewOfAll(parts.current, view, host.current);
      },
      reset: () => moves.reset(),
      retry() {
        for (const loader of parts.current?.loaders ?? []) loader.retry();
      },
    }),
    [stage, moves, subject, loaded, behind, beside, files, host],
  );
}

interface Parts {
  readonly stage: Stage;
  readonly moves: Moves;
  loaders: readonly Loader[];
}

function setViewOfAll(parts: Parts | null, view: TimeRange, host: HTMLElement | null): void {
  const widthPx = widthOf(host);
  setPlotWidth(widthPx);
  for (const loader of parts?.loaders ?? []) loader.setView(view, widthPx);
}

/** Whether lines of a query are still being loaded. */
function lacksLines({ stationIds, variables }: SeriesQuery, { windows, fault }: Loaded): boolean {
  return fault === null && variables.length > 0 && stationIds.some((id) => !windows.has(id));
}

/** Delays loading until the view rests, so that raw rows do not slow down a movement. */
function loadAtRest(loader: Loader): Loader {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ...loader,
    setView(view, widthPx) {
      clearTimeout(timer);
      timer = setTimeout(() => loader.setView(view, widthPx), REST_MS);
    },
    close() {
      clearTimeout(timer);
      loader.close();
    },
  };
}

/** Returns the approximate width of the plots in the host, in device pixels. */
function widthOf(host: HTMLElement | null): number {
  return ((host?.clientWidth ?? 1_000) - AXIS_LEFT_PX) * devicePixelRatio;
}

type Moves = ReturnType<typeof createMoves>;

function createMoves(stage: () => Stage) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Range before the first movement; null if the view was not moved. */
  let home: ShownTime | null = null;
  /** The last range set by a movement. */
  let own: TimeRange | null = null;
  const commit = (view: TimeRange): void => {
    timer = undefined;
    own = snapToUnits(view);
    showRange(own);
  };
  return {
    /** Call when the user has moved the view. */
    onMove(view: TimeRange): void {
      home ??= useWorkspace.getState();
      clearTimeout(timer);
      timer = setTimeout(commit, SETTLE_MS, view);
    },
    /** Call when the time range of the workspace has changed, by the plot or otherwise. */
    onRange(range: TimeRange): void {
      if (own !== null && own.startMs === range.startMs && own.endMs === range.endMs) return;
      clearTimeout(timer);
      home = null;
      own = null;
      stage().setView(range);
    },
    /** Returns to the range before the first movement. */
    reset(): void {
      if (home === null) return;
      clearTimeout(timer);
      // A copy, so that a movement that has not come to rest, and so has not changed the range, is reset too.
      useWorkspace.setState({ range: { ...home.range }, moving: home.moving });
    },
    close: (): void => clearTimeout(timer),
  };
}
