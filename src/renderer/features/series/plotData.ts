import { cleanupOf } from "#shared/async.ts";
import type { Bridge } from "#shared/bridge/contract.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { flushSync } from "react-dom";
import { shallow } from "zustand/shallow";
import { bridge } from "../../bridge/index.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import { fileQueryOf, fileWindows } from "../files/shownSeries.ts";
import { useFiles } from "../files/store.ts";
import { followPointed } from "./ahead.ts";
import { BESIDE, earlierWindows, shiftOf } from "./beside.ts";
import { type Loaded, Loader, RestingLoader } from "./loader.ts";
import { type PlotSubject, rejectedQueryOf, queryOf, type SeriesQuery, subjectOf } from "./query.ts";

/** What the plot draws. */
export interface PlotData {
  /** The plotted selection. A newly selected station is added together with its line, or after a timeout. */
  readonly subject: PlotSubject;
  readonly loaded: Loaded;
  /** Raw rows behind the lines, if they are shown. */
  readonly rejected: Loaded;
  /** Data of the earlier time drawn beside the range, by station. */
  readonly beside: Loaded;
  /** Series of opened files, by line id. */
  readonly files: Loaded;
}

/** Cached lines arrive within this time; until then, the plot is unchanged. */
const LINES_TIMEOUT_MS = 200;

const NOTHING: Loaded = { windows: new Map(), isLoading: true, fault: null };

const rejectedWindows: Pick<Bridge["series"], "window"> = {
  window: (input, options) => bridge.series.window({ ...input, rejected: true }, options),
};

/** The selection without any data. */
export function nothingLoaded(): PlotData {
  const subject = subjectOf(useWorkspace.getState());
  return { subject, loaded: NOTHING, rejected: NOTHING, beside: NOTHING, files: NOTHING };
}

interface PlotDataEvents {
  readonly onData: (data: PlotData) => void;
  /** Called while the lines of newly selected stations are loaded. */
  readonly onPending: () => void;
  /** Called with a new time range of the workspace. */
  readonly onRange: (range: TimeRange) => void;
}

/** Loads the data of a plot, and follows the selection in the workspace. */
export class PlotLoading {
  readonly #connectionId: string;
  readonly #events: PlotDataEvents;
  readonly #lines: Loader;
  readonly #rejected: Loader;
  readonly #files: Loader;
  readonly #earlier: Loader;
  readonly #all: readonly Loader[];
  #drawn = nothingLoaded();
  #latest = NOTHING;
  #linesTimer: ReturnType<typeof setTimeout> | undefined;
  /** How much earlier the data beside the range are. */
  #shiftMs = 0;
  #range: TimeRange | null = null;

  constructor(connectionId: string, events: PlotDataEvents) {
    this.#connectionId = connectionId;
    this.#events = events;
    this.#lines = new Loader(bridge.series, (next, hasArrived) => {
      this.#latest = next;
      // New data is drawn before anything else.
      if (hasArrived) flushSync(() => this.#drawNow());
      else this.#drawSoon();
    });
    // Changes of the loading state alone are not drawn, because they would cost a frame.
    this.#rejected = new RestingLoader(rejectedWindows, (next) => this.#show("rejected", next));
    this.#files = new Loader(fileWindows, (next, hasArrived) =>
      this.#show("files", next, hasArrived || next.windows.size === 0),
    );
    this.#earlier = new Loader(
      earlierWindows(() => this.#shiftMs),
      (next, hasArrived) => {
        if (hasArrived || next.windows.size === 0) this.#show("beside", next, true);
      },
    );
    this.#all = [this.#lines, this.#rejected, this.#files, this.#earlier];
  }

  /** @returns a function that stops */
  start(): () => void {
    const follow = (): void => this.#follow(useWorkspace.getState());
    follow();
    return cleanupOf(
      // Subscribes to the store directly, so that the request is sent before React rerenders the list.
      useWorkspace.subscribe(follow),
      useSettings.subscribe(follow),
      useFiles.subscribe(follow),
      bridge.on("cacheChanged", ({ connectionId, stationIds }) => {
        if (connectionId !== this.#connectionId) return;
        for (const loader of [this.#lines, this.#rejected, this.#earlier]) loader.refresh(stationIds);
      }),
      bridge.on("coreRestarted", () => this.retry()),
      followPointed((stationId) => void this.#lines.readAhead(stationId)),
      ...this.#all.map((loader) => () => loader.close()),
      () => clearTimeout(this.#linesTimer),
    );
  }

  /** @param widthPx width of the plots in device pixels */
  setView(view: TimeRange, widthPx: number): void {
    for (const loader of this.#all) loader.setView(view, widthPx);
  }

  retry(): void {
    for (const loader of this.#all) loader.retry();
  }

  #follow(workspace: Workspace): void {
    if (workspace.range !== this.#range) {
      this.#range = workspace.range;
      this.#events.onRange(workspace.range);
    }
    const query = queryOf(subjectOf(workspace), this.#connectionId);
    const hasLines = query.variables.length > 0;
    // Without a scalar variable, the plot is about to be unmounted.
    if (hasLines) this.#lines.setQuery(query);
    this.#drawSoon();
    this.#rejected.setQuery(rejectedQueryOf(workspace, this.#connectionId));
    this.#files.setQuery(fileQueryOf(workspace));
    const shiftMs = shiftOf(BESIDE.of(workspace), workspace.range);
    // Windows of another shift are of another time.
    if (shiftMs !== this.#shiftMs) this.#earlier.setQuery(null);
    this.#shiftMs = shiftMs;
    this.#earlier.setQuery(shiftMs === 0 || !hasLines ? null : query);
  }

  #drawNow(): void {
    clearTimeout(this.#linesTimer);
    this.#linesTimer = undefined;
    const selected = subjectOf(useWorkspace.getState());
    // The same object, if nothing else is selected.
    const subject = shallow(this.#drawn.subject, selected) ? this.#drawn.subject : selected;
    this.#publish({ subject, loaded: this.#latest });
  }

  /** Waits for the lines of newly selected stations. */
  #drawSoon(): void {
    const selected = subjectOf(useWorkspace.getState());
    const isComplete = !lacksLines(queryOf(selected, this.#connectionId), this.#latest);
    if (isComplete || shallow(this.#drawn.subject, selected)) return this.#drawNow();
    this.#events.onPending();
    this.#linesTimer ??= setTimeout(() => this.#drawNow(), LINES_TIMEOUT_MS);
  }

  #show(part: "rejected" | "beside" | "files", next: Loaded, isNew = false): void {
    const now = this.#drawn[part];
    if (isNew || now.windows !== next.windows || now.fault !== next.fault) this.#publish({ [part]: next });
  }

  #publish(change: Partial<PlotData>): void {
    const keys = Object.keys(change) as (keyof PlotData)[];
    if (keys.every((key) => this.#drawn[key] === change[key])) return;
    this.#drawn = { ...this.#drawn, ...change };
    this.#events.onData(this.#drawn);
  }
}

function lacksLines({ stationIds, variables }: SeriesQuery, { windows, fault }: Loaded): boolean {
  return fault === null && variables.length > 0 && stationIds.some((id) => !windows.has(id));
}
