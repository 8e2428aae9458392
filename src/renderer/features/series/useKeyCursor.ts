import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { create } from "zustand";
import { allLines, type CursorPlace, type PanelModel } from "#shared/plot/panel.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { spokenValues, stepCursor } from "../../plot/readout.ts";
import { panBy } from "../../plot/view.ts";
import type { Plot } from "./usePlot.ts";

/** Position of the cursor over the plot; in a store, so that only its readers rerender when the pointer moves. */
export const useCursor = create<{ readonly place: CursorPlace | null }>(() => ({ place: null }));

/** Step with Shift, as a share of the view. */
const LARGE_STEP = 0.1;
/** Values are not announced while a key is held down. */
const SPEAK_DELAY_MS = 150;

/** A plot cursor moved by arrow keys, whose values are announced to screen readers. */
export function useKeyCursor(plot: Plot, range: TimeRange, models: { readonly current: readonly PanelModel[] }) {
  /** Announcement for screen readers. */
  const [spoken, setSpoken] = useState("");
  /** Position of the cursor, and id of the only line to announce. */
  const cursor = useRef<{ readonly momentMs: number; readonly onlyId: string | null } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The cursor keeps its moment when the view is zoomed.
    if (cursor.current) useCursor.setState({ place: plot.stage.cursorTo(cursor.current.momentMs) });
  }, [plot.stage, range]);

  const show = (momentMs: number, onlyId: string | null, box: Element | null = null): void => {
    const { stage } = plot;
    cursor.current = { momentMs, onlyId };
    const view = stage.view();
    const beyond = Math.min(0, momentMs - view.startMs) + Math.max(0, momentMs - view.endMs);
    // Moves the view further, so that the next steps do not move it again.
    const margin = Math.sign(beyond) * (view.endMs - view.startMs) * LARGE_STEP;
    if (beyond !== 0) plot.move((now) => panBy(now, beyond + margin));
    stage.highlight(onlyId);
    // In small multiples, scrolls the station's plots into view, at least the first.
    const own = onlyId === null ? [] : [...(box?.querySelectorAll(`[data-line="${CSS.escape(onlyId)}"]`) ?? [])];
    for (const each of own.toReversed()) each.scrollIntoView({ block: "nearest" });
    useCursor.setState({ place: stage.cursorTo(momentMs) });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSpoken(spokenValues(models.current, momentMs, onlyId)), SPEAK_DELAY_MS);
  };
  const hide = (): void => {
    if (cursor.current === null) return;
    if (cursor.current.onlyId !== null) plot.stage.highlight(null);
    cursor.current = null;
    clearTimeout(timer.current);
    plot.stage.cursorTo(null);
    useCursor.setState({ place: null });
    setSpoken("");
  };
  /** Returns whether it handled the key. */
  const onKey = ({ key, shiftKey, ctrlKey, metaKey, altKey, currentTarget }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    if (key === "Escape") {
      const isShown = cursor.current !== null;
      hide();
      return isShown;
    }
    const view = plot.stage.view();
    const span = view.endMs - view.startMs;
    const pointerMs = useCursor.getState().place?.momentMs;
    const fromMs = cursor.current?.momentMs ?? pointerMs ?? view.startMs + span / 2;
    const onlyId = cursor.current?.onlyId ?? null;
    const lines = models.current.flatMap(allLines);
    const ids = [null, ...new Set(lines.map((line) => line.stationId))];
    const neighbour = (by: number): string | null => ids[(ids.indexOf(onlyId) + by + ids.length) % ids.length] ?? null;
    if (key === "ArrowUp") show(fromMs, neighbour(-1), currentTarget);
    else if (key === "ArrowDown") show(fromMs, neighbour(1), currentTarget);
    else if (key === "ArrowLeft" || key === "ArrowRight") {
      const direction = key === "ArrowLeft" ? -1 : 1;
      const tracks = lines.flatMap((line) =>
        line.track && (onlyId === null || line.stationId === onlyId) ? line.track : [],
      );
      const pixelMs = span / Math.max(1, document.documentElement.clientWidth);
      const start = shiftKey ? fromMs + direction * span * LARGE_STEP : fromMs;
      show(stepCursor(tracks, start, direction, { view, pixelMs }), onlyId);
    } else return false;
    return true;
  };
  return { spoken, onKey, onBlur: hide };
}
