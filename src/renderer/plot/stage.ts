import type { TimeRange } from "#shared/time/range.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { Drawing } from "./drawing.ts";
import { Panel } from "./panel.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { PointerActions } from "./pointers.ts";
import { pageTheme } from "./theme.ts";
import { panBy, rangeBetween, zoomAt } from "./view.ts";

interface StageEvents {
  /** Called for every frame while the user moves the view. */
  onView(view: TimeRange): void;
  onReset(): void;
  onCursor(place: CursorPlace | null): void;
  onPress(place: CursorPlace): void;
}

/** Panels with a common time axis, which move together. */
export class Stage {
  readonly #panels = new Set<Omit<Panel<never>, "update">>();
  readonly #events: StageEvents;
  #view: TimeRange;
  #theme: PlotTheme = pageTheme();
  #highlighted: string | null = null;
  #cursorMs: number | null = null;
  #panFrom: TimeRange;
  #frame = 0;

  constructor(firstView: TimeRange, events: StageEvents) {
    this.#view = firstView;
    this.#panFrom = firstView;
    this.#events = events;
  }

  view(): TimeRange {
    return this.#view;
  }

  /** Shows another range in the next frame. */
  setView(next: TimeRange): void {
    if (next.startMs === this.#view.startMs && next.endMs === this.#view.endMs) return;
    this.#view = next;
    this.#drawSoon();
  }

  /** Draws a station in front of the others, which are dimmed; null: none. */
  readonly highlight = (stationId: string | null): void => {
    if (this.#highlighted === stationId) return;
    this.#highlighted = stationId;
    this.#drawSoon();
  };

  /** Moves the cursor of all panels to a moment, or hides it. @returns its position; null outside the view */
  cursorTo(momentMs: number | null): CursorPlace | null {
    this.#cursorMs = momentMs;
    const places = [...this.#panels].map((panel) => panel.cursorTo(momentMs));
    const onHighlighted = places.find((place) => place?.gap && place.gap.stationId === this.#highlighted);
    return onHighlighted ?? places[0] ?? null;
  }

  /** Marks the panels as outdated while other lines are loaded; their content stays. */
  markPending(): void {
    for (const panel of this.#panels) panel.markPending();
  }

  /** Call after a change of theme. */
  updateTheme(): void {
    this.#theme = pageTheme();
    this.#drawSoon();
  }

  addPanel<Model>(host: HTMLElement, drawing: Drawing<Model>): Panel<Model> {
    const panel = new Panel(host, drawing, {
      view: () => this.#view,
      theme: () => this.#theme,
      highlighted: () => this.#highlighted,
      highlight: this.highlight,
      pointer: this.#pointer,
      cursorMs: () => this.#cursorMs,
      showLine: (momentMs) => {
        for (const each of this.#panels) each.showLine(momentMs);
      },
      onCursor: (place) => {
        this.#cursorMs = null;
        this.#events.onCursor(place);
      },
      onPress: (place) => this.#events.onPress(place),
    });
    this.#panels.add(panel);
    return panel;
  }

  removePanel(panel: Omit<Panel<never>, "update">): void {
    this.#panels.delete(panel);
    panel.remove();
  }

  readonly #pointer: Omit<PointerActions, "press" | "hover" | "leave"> = {
    zoom: (factor, x, width) => this.#move(zoomAt(this.#view, factor, this.#momentAt(x, width), Date.now())),
    panStart: () => (this.#panFrom = this.#view),
    pan: (dx, width) => {
      const from = this.#panFrom;
      this.#move(panBy(from, (-dx / width) * (from.endMs - from.startMs)));
    },
    zoomToRange: (fromX, toX, width) =>
      this.#move(rangeBetween(this.#momentAt(fromX, width), this.#momentAt(toX, width))),
    markRange: (range) => {
      for (const panel of this.#panels) panel.markRange(range);
    },
    reset: () => this.#events.onReset(),
  };

  #momentAt(x: number, width: number): number {
    const { startMs, endMs } = this.#view;
    return startMs + (x / width) * (endMs - startMs);
  }

  #move(next: TimeRange): void {
    this.#view = next;
    this.#drawSoon();
    this.#events.onView(next);
  }

  #drawSoon(): void {
    // Combines several movements in one frame.
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      for (const panel of this.#panels) panel.draw();
    });
  }
}
