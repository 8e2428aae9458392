import type { Bridge } from "#shared/bridge/contract.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { AppFault } from "#shared/fault.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { widen } from "../../plot/view.ts";
import type { SeriesQuery } from "./query.ts";
import { type Needed, widestColumnMs, type WindowRequest, windowRequest } from "./windowRequest.ts";

export interface Loaded {
  readonly windows: ReadonlyMap<string, SeriesWindow>;
  readonly isLoading: boolean;
  readonly fault: AppFault | null;
}

/** Minimum length of a window around the view, in its spans, below which more is requested. */
const MIN_SPANS = 2;
const REST_MS = 150;
const REFRESH_MS = 400;

/** Calls `act` after a delay. @returns a function that cancels it */
export type Delay = (act: () => void, ms: number) => () => void;

const byTimer: Delay = (act, ms) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/**
 * Loads the data that a view needs: for each station a window around the view, in columns as narrow as pixels or in full
 * rows. At most one request is pending at a time, for the stations with insufficient data; existing windows are kept until
 * better ones arrive.
 */
export class Loader {
  readonly #series: Pick<Bridge["series"], "window">;
  readonly #onChange: (loaded: Loaded, hasArrived: boolean) => void;
  readonly #delay: Delay;
  readonly #stale = new Set<string>();
  /** The window of the station that will probably be added next. */
  #ahead: SeriesWindow | null = null;
  #pendingAhead: AbortController | null = null;
  #query: SeriesQuery | null = null;
  #windows = new Map<string, SeriesWindow>();
  #view: TimeRange | null = null;
  #widthPx = 1_000;
  #pending: { readonly range: TimeRange; readonly control: AbortController } | null = null;
  #fault: AppFault | null = null;
  #cancelRest: (() => void) | null = null;
  #cancelRefresh: (() => void) | null = null;

  /** @param onChange called with every change; `hasArrived`: whether there is new data to draw */
  constructor(
    series: Pick<Bridge["series"], "window">,
    onChange: (loaded: Loaded, hasArrived: boolean) => void,
    delay: Delay = byTimer,
  ) {
    this.#series = series;
    this.#onChange = onChange;
    this.#delay = delay;
  }

  /** Drops windows of other variables, modes and connections; keeps those of remaining stations. null drops all. */
  setQuery(next: SeriesQuery | null): void {
    const query = this.#query;
    if (JSON.stringify(next) === JSON.stringify(query)) return;
    this.#query = next;
    this.#fault = null;
    if (!isOfSameKind(query, next)) {
      this.#cancel();
      this.#windows = new Map();
      this.#stale.clear();
      this.#dropAhead();
    }
    if (next === null) return this.#publish();
    const wanted = new Set(next.stationIds);
    if ([...this.#windows.keys()].some((id) => !wanted.has(id))) {
      this.#windows = new Map([...this.#windows].filter(([id]) => wanted.has(id)));
    }
    // A pending request without a new station must not delay it.
    if (this.#pending && next.stationIds.some((id) => !this.#windows.has(id))) this.#cancel();
    this.#publish(this.#takeAhead());
    this.#check();
  }

  /**
   * Requests the window of a station that will probably be added, so that it is drawn at once then. Means that the core
   * computes are not requested: they take longer than a pointer rests.
   */
  async readAhead(stationId: string): Promise<void> {
    const view = this.#view;
    if (!this.#query || !view || this.#query.mode.resampled || this.#query.stationIds.includes(stationId)) return;
    this.#dropAhead();
    const own = (this.#pendingAhead = new AbortController());
    const request = windowRequest(this.#query, { stationIds: [stationId], view, isWide: false }, this.#widthPx);
    const answer = await this.#series.window({ ...request, ahead: true }, { signal: own.signal });
    if (this.#pendingAhead !== own) return;
    this.#pendingAhead = null;
    if (answer.ok) this.#ahead = answer.value[0] ?? null;
  }

  /** Sets the current view; call it with every movement. */
  setView(next: TimeRange, widthPx: number): void {
    const isOther = this.#view?.startMs !== next.startMs || this.#view.endMs !== next.endMs;
    this.#view = next;
    this.#widthPx = Math.max(1, widthPx);
    if (this.#fault === null || !isOther) return this.#check();
    // What failed for one range may work for another; at rest, so that a movement does not repeat a failure every frame.
    this.#cancelRest?.();
    this.#cancelRest = this.#delay(() => this.retry(), REST_MS);
  }

  /** Call when rows of the stations (null: of any) have changed. */
  refresh(stationIds: readonly string[] | null): void {
    if (this.#ahead === null || stationIds?.includes(this.#ahead.stationId) !== false) this.#dropAhead();
    const touched = this.#query?.stationIds.filter((id) => stationIds === null || stationIds.includes(id)) ?? [];
    for (const id of touched) this.#stale.add(id);
    if (touched.length === 0) return;
    // At once, then throttled, because a download reports changes several times a second.
    if (this.#cancelRefresh !== null) return;
    this.#check();
    this.#cancelRefresh = this.#delay(() => {
      this.#cancelRefresh = null;
      this.#check();
    }, REFRESH_MS);
  }

  retry(): void {
    this.#fault = null;
    this.#publish();
    this.#check();
  }

  close(): void {
    this.#cancelRest?.();
    this.#cancelRefresh?.();
    this.#cancel();
    this.#dropAhead();
    this.#query = null;
  }

  #publish(hasArrived = false): void {
    this.#onChange({ windows: this.#windows, isLoading: this.#pending !== null, fault: this.#fault }, hasArrived);
  }

  #cancel(): void {
    this.#pending?.control.abort();
    this.#pending = null;
  }

  #dropAhead(): void {
    this.#pendingAhead?.abort();
    this.#pendingAhead = null;
    this.#ahead = null;
  }

  /** Uses the window that was read ahead, if it is of a station that is wanted now. */
  #takeAhead(): boolean {
    const window = this.#ahead;
    if (!window || !this.#view || this.#windows.has(window.stationId)) return false;
    if (!this.#query?.stationIds.includes(window.stationId) || !this.#isEnough(window, this.#view)) return false;
    this.#windows = new Map(this.#windows).set(window.stationId, window);
    this.#ahead = null;
    return true;
  }

  /** Returns the stations whose windows are insufficient within a range. */
  #insufficient(within: TimeRange): string[] {
    const ids = this.#query?.stationIds ?? [];
    return ids.filter((id) => this.#stale.has(id) || !this.#isEnough(this.#windows.get(id), within));
  }

  #isEnough(window: SeriesWindow | undefined, within: TimeRange): boolean {
    if (!window || !this.#query || !this.#view) return false;
    if (window.range.startMs > within.startMs || window.range.endMs < within.endMs) return false;
    if (window.kind === "rows") return true;
    const columnMs = widestColumnMs(this.#query, this.#view, this.#widthPx);
    // The range of a window is in whole milliseconds, but the span of a view may not be.
    return (window.range.endMs - window.range.startMs) / window.columns <= columnMs * 1.001;
  }

  #check(): void {
    const view = this.#view;
    if (!this.#query || !view || this.#fault) return;
    if (this.#pending) {
      const isOutside = this.#pending.range.endMs <= view.startMs || this.#pending.range.startMs >= view.endMs;
      if (!isOutside) return;
      this.#cancel();
    }
    this.#cancelRest?.();
    const ids = this.#insufficient(view);
    if (ids.length > 0) {
      // Stations without data get only the visible range first; stations that lack detail get a wide window.
      const isFirst = ids.some((id) => !this.#windows.has(id));
      void this.#load({ stationIds: ids, view, isWide: !isFirst });
      return;
    }
    this.#cancelRest = this.#delay(() => this.#loadAround(), REST_MS);
  }

  /** Loads what a movement from the resting view would need next. */
  #loadAround(): void {
    if (!this.#view || this.#pending) return;
    const more = this.#insufficient(widen(this.#view, MIN_SPANS));
    if (more.length > 0) void this.#load({ stationIds: more, view: this.#view, isWide: true });
  }

  async #load(needed: Needed): Promise<void> {
    if (!this.#query) return;
    const request = windowRequest(this.#query, needed, this.#widthPx);
    const own = { range: request.range, control: new AbortController() };
    this.#pending = own;
    for (const id of request.stationIds) this.#stale.delete(id);
    this.#publish();
    const answer = await this.#series.window(request, { signal: own.control.signal });
    if (this.#pending !== own) return;
    this.#pending = null;
    if (answer.ok) this.#take(answer.value, request);
    // Also one that the core cancelled, as it does when it closes: asked again at once, it would be cancelled again.
    else this.#fault = answer.error;
    this.#publish(answer.ok);
    this.#check();
  }

  #take(arrived: readonly SeriesWindow[], { stationIds, range }: WindowRequest): void {
    const wanted = new Set(this.#query?.stationIds);
    const windows = new Map([...this.#windows, ...arrived.map((w) => [w.stationId, w] as const)]);
    for (const id of windows.keys()) if (!wanted.has(id)) windows.delete(id);
    // A station unknown to the core gets an empty window; otherwise it would be requested again and again.
    for (const id of stationIds) if (wanted.has(id) && !windows.has(id)) windows.set(id, emptyWindow(id, range));
    this.#windows = windows;
  }
}

/** Whether windows of one query are of use for the other. */
function isOfSameKind(a: SeriesQuery | null, b: SeriesQuery | null): boolean {
  if (a === null || b === null || a.connectionId !== b.connectionId) return false;
  return JSON.stringify([a.variables, a.mode]) === JSON.stringify([b.variables, b.mode]);
}

/** Waits until the view rests, so that loading does not slow down a movement. */
export class RestingLoader extends Loader {
  #timer: ReturnType<typeof setTimeout> | undefined;

  override setView(view: TimeRange, widthPx: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => super.setView(view, widthPx), REST_MS);
  }

  override close(): void {
    clearTimeout(this.#timer);
    super.close();
  }
}

function emptyWindow(stationId: string, range: TimeRange): SeriesWindow {
  return { kind: "rows", stationId, range, timesMs: new Float64Array(0), values: {} };
}
