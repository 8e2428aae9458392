import type { TimeRange } from "#shared/time/range.ts";
import type { CursorPlace } from "#shared/plot/panel.ts";
import type { PanelPorts, PanelView } from "./panelView.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { pageTheme } from "./theme.ts";
import { between, panBy, zoomAt } from "./view.ts";

export interface StageEvents {
  /** The user moved the view: at every frame of a movement. */
  onView(view: TimeRange): void;
  onReset(): void;
  onCursor(place: CursorPlace | null): void;
  onPress(place: CursorPlace): void;
}

/** Panels above one time axis, which move together. */
export interface Stage {
  view(): TimeRange;
  /** Shows another range at the next frame. */
  setView(view: TimeRange): void;
  /** Draws the station in front of the others; null: all alike. */
  highlight(stationId: string | null): void;
  /** Puts the cursor of all panels at a moment, as a hand would; null takes it away. @returns the place, null outside the view */
  cursorTo(momentMs: number | null): CursorPlace | null;
  /** Other lines are on their way: what is drawn stays until they are here. */
  expect(): void;
  /** After a change of theme. */
  retheme(): void;
  addPanel<Model>(host: HTMLElement, model: Model, create: CreatePanel<Model>): PanelHandle<Model>;
}

export type CreatePanel<Model> = (host: HTMLElement, model: Model, ports: PanelPorts) => PanelView<Model>;

export interface PanelHandle<Model> {
  update(model: Model): void;
  remove(): void;
}

let stages = 0;

export function createStage(firstView: TimeRange, events: StageEvents): Stage {
  const syncKey = `stage-${++stages}`;
  const panels = new Set<Omit<PanelView<never>, "update">>();
  let view = firstView;
  let theme: PlotTheme = pageTheme();
  let highlighted: string | null = null;
  let panFrom = view;
  let frame = 0;

  function drawSoon(): void {
    // Several moves of a hand in one frame are one picture.
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

  const momentAt = (x: number, width: number): number => view.startMs + (x / width) * (view.endMs - view.startMs);

  return {
    view: () => view,
    setView(next) {
      if (next.startMs === view.startMs && next.endMs === view.endMs) return;
      view = next;
      drawSoon();
    },
    highlight(stationId) {
      if (highlighted === stationId) return;
      highlighted = stationId;
      drawSoon();
    },
    cursorTo(momentMs) {
      const isInView = momentMs !== null && momentMs >= view.startMs && momentMs <= view.endMs;
      const places = [...panels].map((panel) => panel.cursorTo(isInView ? momentMs : null));
      const looked = places.find((place) => place?.gap && place.gap.stationId === highlighted);
      return looked ?? places[0] ?? null;
    },
    expect() {
      for (const panel of panels) panel.expect();
    },
    retheme() {
      theme = pageTheme();
      for (const panel of panels) panel.retheme();
      drawSoon();
    },
    addPanel(host, model, create) {
      const panel = create(host, model, {
        syncKey,
        view: () => view,
        theme: () => theme,
        highlighted: () => highlighted,
        hand: {
          zoom: (factor, x, width) => move(zoomAt(view, factor, momentAt(x, width))),
          panStart: () => (panFrom = view),
          pan: (dx, width) => move(panBy(panFrom, (-dx / width) * (panFrom.endMs - panFrom.startMs))),
          choose: (fromX, toX, width) => move(between(momentAt(fromX, width), momentAt(toX, width))),
          mark(range) {
            for (const each of panels) each.mark(range);
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
