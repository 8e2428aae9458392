import { useEffect, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { shallow } from "zustand/shallow";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { AXIS_LEFT_PX } from "../../plot/options.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import { createStage, type Stage } from "../../plot/stage.ts";
import { settled } from "../../plot/view.ts";
import { showRange, type ShownTime } from "../../stores/range.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import type { Workspace } from "../../stores/workspaceSchema.ts";
import { fileQueryOf, fileWindows } from "../files/fileWindows.ts";
import { useFiles } from "../files/store.ts";
import { createLoader, type Loaded, type Loader } from "./loader.ts";
import { readAheadWindows, showsPlot } from "./readAhead.ts";
import { rejectedQueryOf, queryOf, type SeriesQuery, type Subject, subjectOf } from "./query.ts";

/** A movement that rests this long becomes the time range of every view. */
const SETTLE_MS = 200;
/** And one that rests this long brings the raw rows behind it. */
const REST_MS = 150;

export interface Plot {
  readonly stage: Stage;
  /** What the plot is of: what is chosen, but a newly chosen station only with its line, or where that takes long. */
  readonly subject: Subject;
  readonly loaded: Loaded;
  /** Raw rows behind the lines, where they are shown. */
  readonly behind: Loaded;
  /** Series of opened files, by the ids of their lines. */
  readonly files: Loaded;
  /** Moves the view as a hand does: shown at once, kept when it rests. */
  move(change: (view: TimeRange) => TimeRange): void;
  reset(): void;
  retry(): void;
}

export interface PlotEvents {
  readonly onCursor: (place: CursorPlace | null) => void;
  readonly onPress: (place: CursorPlace) => void;
}

/** Lines that are in the cache are here before this is over: until then the picture stays as it is. */
const PATIENCE_MS = 200;

type Drawn = Pick<Plot, "subject" | "loaded">;

const NOTHING: Loaded = { windows: new Map(), isLoading: true, fault: null };

/** The same questions, of what the quality filter took away. */
const BEHIND: Pick<Bridge["series"], "window"> = {
  window: (input, options) => bridge.series.window({ ...input, behind: true }, options),
};

/** The stage, what is loaded for it, and the way from its view to the one time range and back. */
export function usePlot(connectionId: string, host: React.RefObject<HTMLElement | null>, events: PlotEvents): Plot {
  // One state: a station and its line come in one picture.
  const [{ subject, loaded }, setDrawn] = useState<Drawn>(() => ({
    subject: subjectOf(useWorkspace.getState()),
    loaded: NOTHING,
  }));
  const [behind, setRejected] = useState<Loaded>(NOTHING);
  const [files, setFiles] = useState<Loaded>(NOTHING);
  const latest = useRef(events);
  latest.current = events;
  const parts = useRef<Parts | null>(null);

  parts.current ??= ((): Parts => {
    const moves = createMoves(() => stage);
    const stage = createStage(useWorkspace.getState().range, {
      onView(view) {
        moves.moved(view);
        wantAll(parts.current, view, host.current);
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
    let told = NOTHING;
    let patience: ReturnType<typeof setTimeout> | undefined;
    const drawNow = (): void => {
      clearTimeout(patience);
      patience = undefined;
      const chosen = subjectOf(useWorkspace.getState());
      const subject = shallow(drawn.subject, chosen) ? drawn.subject : chosen;
      if (subject !== drawn.subject || told !== drawn.loaded) drawn = { subject, loaded: told };
      setDrawn(drawn);
    };
    const drawSoon = (): void => {
      const chosen = subjectOf(useWorkspace.getState());
      if (shallow(drawn.subject, chosen) || !lacksLines(queryOf(chosen, connectionId), told)) return drawNow();
      stage.expect();
      patience ??= setTimeout(drawNow, PATIENCE_MS);
    };
    const own = createLoader(readAheadWindows, (next, hasArrived) => {
      told = next;
      // What has arrived is drawn before anything else is done.
      if (hasArrived) flushSync(drawNow);
      else drawSoon();
    });
    // Whether they are being loaded is of no interest, and drawn would cost a frame.
    const raws = rested(
      createLoader(BEHIND, (next) =>
        setRejected((now) => (now.windows === next.windows && now.fault === next.fault ? now : next)),
      ),
    );
    const opened = createLoader(fileWindows, (next, hasArrived) => {
      if (hasArrived || next.windows.size === 0) setFiles(next);
      else setFiles((now) => (now.windows === next.windows && now.fault === next.fault ? now : next));
    });
    const loaders = [own, raws, opened];
    if (parts.current) parts.current.loaders = loaders;
    let seen: TimeRange | null = null;
    // From the store and not from what React made of it: the question is on its way before the list has drawn the tick.
    const follow = (workspace: Workspace): void => {
      if (workspace.range !== seen) {
        seen = workspace.range;
        moves.arrived(seen);
        wantAll(parts.current, seen, host.current);
      }
      const query = queryOf(subjectOf(workspace), connectionId);
      // Without a scalar variable the plot is about to go.
      if (query.variables.length > 0) own.setQuery(query);
      drawSoon();
      raws.setQuery(rejectedQueryOf(workspace, connectionId));
      opened.setQuery(fileQueryOf(workspace));
    };
    follow(useWorkspace.getState());
    const offWorkspace = useWorkspace.subscribe(follow);
    const offSettings = useSettings.subscribe(() => follow(useWorkspace.getState()));
    const offFiles = useFiles.subscribe(() => follow(useWorkspace.getState()));
    const offCache = bridge.on("cacheChanged", (change) => {
      if (change.connectionId === connectionId) for (const each of [own, raws]) each.refresh(change.stationIds);
    });
    const offEngine = bridge.on("engineRestarted", () => {
      for (const each of loaders) each.retry();
    });
    return () => {
      offWorkspace();
      offSettings();
      offFiles();
      offCache();
      offEngine();
      for (const each of loaders) each.close();
      clearTimeout(patience);
      moves.close();
    };
  }, [stage, moves, host, connectionId]);

  return useMemo(
    () => ({
      stage,
      subject,
      loaded,
      behind,
      files,
      move(change) {
        const view = change(stage.view());
        stage.setView(view);
        moves.moved(view);
        wantAll(parts.current, view, host.current);
      },
      reset: () => moves.reset(),
      retry() {
        for (const each of parts.current?.loaders ?? []) each.retry();
      },
    }),
    [stage, moves, subject, loaded, behind, files, host],
  );
}

interface Parts {
  readonly stage: Stage;
  readonly moves: Moves;
  loaders: readonly Loader[];
}

function wantAll(parts: Parts | null, view: TimeRange, host: HTMLElement | null): void {
  const widthPx = widthOf(host);
  showsPlot(widthPx);
  for (const loader of parts?.loaders ?? []) loader.want(view, widthPx);
}

/** Whether lines of a query are on their way. */
function lacksLines({ stationIds, variables }: SeriesQuery, { windows, fault }: Loaded): boolean {
  return fault === null && variables.length > 0 && stationIds.some((id) => !windows.has(id));
}

/** For what comes after the lines: asks only where the view rests, so that a movement is not disturbed. */
function rested(loader: Loader): Loader {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ...loader,
    want(view, widthPx) {
      clearTimeout(timer);
      timer = setTimeout(() => loader.want(view, widthPx), REST_MS);
    },
    close() {
      clearTimeout(timer);
      loader.close();
    },
  };
}

/** Device pixels of the plots in the host, about. */
function widthOf(host: HTMLElement | null): number {
  return ((host?.clientWidth ?? 1_000) - AXIS_LEFT_PX) * devicePixelRatio;
}

interface Moves {
  /** The view was moved here. */
  moved(view: TimeRange): void;
  /** The one time range is this now, whoever set it. */
  arrived(range: TimeRange): void;
  /** Back to what was shown before it was moved. */
  reset(): void;
  close(): void;
}

function createMoves(stage: () => Stage): Moves {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Range before the first move; null where the view was not moved. */
  let home: ShownTime | null = null;
  let own: TimeRange | null = null;
  const commit = (view: TimeRange): void => {
    timer = undefined;
    own = settled(view);
    showRange(own);
  };
  return {
    moved(view) {
      home ??= useWorkspace.getState();
      clearTimeout(timer);
      timer = setTimeout(commit, SETTLE_MS, view);
    },
    arrived(range) {
      if (own !== null && own.startMs === range.startMs && own.endMs === range.endMs) return;
      clearTimeout(timer);
      home = null;
      own = null;
      stage().setView(range);
    },
    reset() {
      if (home === null) return;
      clearTimeout(timer);
      // Another object: a movement that has not come to rest yet has not changed the range, and goes back all the same.
      useWorkspace.setState({ range: { ...home.range }, moving: home.moving });
    },
    close: () => clearTimeout(timer),
  };
}
