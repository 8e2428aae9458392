import type { TimeRange } from "#shared/time/range.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { PanelPorts, PanelView } from "./panelView.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
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
export interface Stage {
  view(): TimeRange;
  /** Shows another range in the next frame. */
  setView(view: TimeRange): void;
  /** Draws a station in front of the others, which are dimmed; null: none. */
  highlight(stationId: string | null): void;
  /** Moves the cursor of all panels to a moment, or hides it. @returns its position; null outside the view */
  cursorTo(momentMs: number | null): CursorPlace | null;
  /** Marks the panels as outdated while other lines are loaded; their content stays. */
  markPending(): void;
  /** Call after a change of theme. */
  updateTheme(): void;
  addPanel<Model>(host: HTMLElement, model: Model, create: CreatePanel<Model>): PanelHandle<Model>;
}

export type CreatePanel<Model> = (host: HTMLElement, model: Model, ports: PanelPorts) => PanelView<Model>;

export interface PanelHandle<Model> {
  update(model: Model): void;
  remove(): void;
}

let stageCount = 0;

export function createStage(firstView: TimeRange, events: StageEvents): Stage {
  const syncKey = `stage-${++stageCount}`;
  const panels = new Set<Omit<PanelView<never>, "update">>();
  let view = firstView;
  let theme: PlotTheme = pageTheme();
  let highlighted: string | null = null;
  let panFrom = view;
  let frame = 0;

  function drawSoon(): void {
    // Combines several movements in one frame.
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      for (const panel of panels) panel.draw();
    });
  }

  function move(next: TimeRange): void {
    view = next;
    drawSoon();
    events.onView(view);
  }

  function highlight(stationId: string | null): void {
    if (highlighted === stationId) return;
    highlighted = stationId;
    drawSoon();
  }

  const momentAt = (x: number, width: number): number => view.startMs + (x / width) * (view.endMs - view.startMs);

  return {
    view: () => view,
    setView(next) {
      if (next.startMs === view.startMs && next.endMs === view.endMs) return;
      view = next;
      drawSoon();
    },
    highlight,
    cursorTo(momentMs) {
      const isInView = momentMs !== null && momentMs >= view.startMs && momentMs <= view.endMs;
      const places = [...panels].map((panel) => panel.cursorTo(isInView ? momentMs : null));
      const onHighlighted = places.find((place) => place?.gap && place.gap.stationId === highlighted);
      return onHighlighted ?? places[0] ?? null;
    },
    markPending() {
      for (const panel of panels) panel.markPending();
    },
    updateTheme() {
      theme = pageTheme();
      for (const panel of panels) panel.updateTheme();
      drawSoon();
    },
    addPanel(host, model, create) {
      const panel = create(host, model, {
        syncKey,
        view: () => view,
        theme: () => theme,
        highlighted: () => highlighted,
        highlight,
        pointer: {
          zoom: (factor, x, width) => move(zoomAt(view, factor, momentAt(x, width))),
          panStart: () => (panFrom = view),
          pan: (dx, width) => move(panBy(panFrom, (-dx / width) * (panFrom.endMs - panFrom.startMs))),
          zoomToRange: (fromX, toX, width) => move(rangeBetween(momentAt(fromX, width), momentAt(toX, width))),
          markRange(range) {
            for (const each of panels) each.markRange(range);
          },
          reset: () => events.onReset(),
        },
        onCursor: (place) => events.onCursor(place),
        onPress: (place) => events.onPress(place),
      });
      panels.add(panel);
      return {
        update: (next) => panel.update(next),
        remove() {
          panels.delete(panel);
          panel.remove();
        },
      };
    },
  };
}
