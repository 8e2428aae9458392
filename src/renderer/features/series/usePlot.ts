import { useEffect, useMemo, useRef, useState } from "react";
import { cleanupOf } from "#shared/async.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { LEFT } from "#shared/plot/figure/axes.ts";
import { Stage } from "../../plot/stage.ts";
import { onThemeChange } from "../../plot/theme.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { nothingLoaded, type PlotData, PlotLoading } from "./plotData.ts";
import { useConnectionId } from "../../stores/connection.ts";
import { snapToUnits } from "../../plot/view.ts";
import { type ShownTime, showRange } from "../../stores/range.ts";

export interface Plot extends PlotData {
  readonly stage: Stage;
  /** Moves the view like the pointer: drawn at once, applied to the time range when it rests. */
  move(change: (view: TimeRange) => TimeRange): void;
  retry(): void;
}

interface PlotEvents {
  readonly onCursor: (place: CursorPlace | null) => void;
  readonly onPress: (place: CursorPlace) => void;
}

interface Parts {
  readonly stage: Stage;
  readonly moves: Moves;
  loading: PlotLoading | null;
}

/** Creates the stage, loads its data, and keeps its view and the time range of the workspace in sync. */
export function usePlot(host: React.RefObject<HTMLElement | null>, events: PlotEvents): Plot {
  const connectionId = useConnectionId();
  // One state, so that a station and its line appear in the same frame.
  const [data, setData] = useState(nothingLoaded);
  const latest = useRef(events);
  latest.current = events;
  const parts = useRef<Parts | null>(null);
  parts.current ??= createParts(latest, (view) => parts.current?.loading?.setView(view, widthOf(host.current)));
  const { stage, moves } = parts.current;

  useEffect(() => {
    const loading = new PlotLoading(connectionId, {
      onData: setData,
      onPending: () => stage.markPending(),
      onRange(range) {
        moves.onRange(range);
        loading.setView(range, widthOf(host.current));
      },
    });
    if (parts.current) parts.current.loading = loading;
    return cleanupOf(
      loading.start(),
      onThemeChange(() => stage.updateTheme()),
      () => moves.close(),
    );
  }, [stage, moves, host, connectionId]);

  return useMemo(
    () => ({
      ...data,
      stage,
      move(change) {
        const view = change(stage.view());
        stage.setView(view);
        moves.onMove(view);
        parts.current?.loading?.setView(view, widthOf(host.current));
      },
      retry: () => parts.current?.loading?.retry(),
    }),
    [stage, moves, data, host],
  );
}

function createParts(events: React.RefObject<PlotEvents>, load: (view: TimeRange) => void): Parts {
  const stage = new Stage(useWorkspace.getState().range, {
    onView(view) {
      moves.onMove(view);
      load(view);
    },
    onReset: () => moves.reset(),
    onCursor: (place) => events.current.onCursor(place),
    onPress: (place) => events.current.onPress(place),
  });
  const moves = new Moves((range) => stage.setView(range));
  return { stage, moves, loading: null };
}

/** Returns the approximate width of the plots in the host, in device pixels. */
function widthOf(host: HTMLElement | null): number {
  return ((host?.clientWidth ?? 1_000) - LEFT) * devicePixelRatio;
}

/** Rest after a movement before the view becomes the time range of all views. */
const SETTLE_MS = 200;

/** Applies movements of a plot to the time range of the workspace, and changes of that range to the plot. */
class Moves {
  readonly #show: (range: TimeRange) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Range before the first movement; null if the view was not moved. */
  #home: ShownTime | null = null;
  /** The last range set by a movement. */
  #own: TimeRange | null = null;

  /** @param show moves the plot to a range */
  constructor(show: (range: TimeRange) => void) {
    this.#show = show;
  }

  /** Call when the user has moved the view. */
  onMove(view: TimeRange): void {
    this.#home ??= useWorkspace.getState();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#own = snapToUnits(view);
      showRange(this.#own);
    }, SETTLE_MS);
  }

  /** Call when the time range of the workspace has changed, by the plot or otherwise. */
  onRange(range: TimeRange): void {
    const own = this.#own;
    if (own !== null && own.startMs === range.startMs && own.endMs === range.endMs) return;
    clearTimeout(this.#timer);
    this.#home = null;
    this.#own = null;
    this.#show(range);
  }

  /** Returns to the range before the first movement. */
  reset(): void {
    if (this.#home === null) return;
    clearTimeout(this.#timer);
    const { range, moving } = this.#home;
    // A copy, so that a movement that has not come to rest, and so has not changed the range, is reset too.
    useWorkspace.setState({ range: { ...range }, moving });
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
