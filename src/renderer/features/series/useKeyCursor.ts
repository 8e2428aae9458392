import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { allLines, type PanelModel } from "#shared/plot/panel.ts";
import { steppedMoment } from "../../plot/keyCursor.ts";
import { spokenValues } from "../../plot/spoken.ts";
import { panBy } from "../../plot/view.ts";
import { useCursor } from "./cursor.ts";
import type { Plot } from "./usePlot.ts";

/** With Shift a step is this share of the view. */
const LARGE_STEP = 0.1;
/** A key that is held says nothing before it is let go. */
const SPEAK_MS = 150;

interface KeyCursor {
  /** What a reader of the screen says of the cursor. */
  readonly spoken: string;
  /** @returns whether the key was one of the cursor's */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly onBlur: () => void;
}

/** A cursor that arrow keys move over the plot, whose values are told aloud. */
export function useKeyCursor(
  plot: Plot,
  range: TimeRange,
  models: { readonly current: readonly PanelModel[] },
): KeyCursor {
  const [spoken, setSpoken] = useState("");
  /** Where the keyboard has put the cursor, and the one line that is told of. */
  const at = useRef<{ readonly momentMs: number; readonly onlyId: string | null } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // A zoom leaves the cursor at its moment.
    if (at.current) useCursor.setState({ place: plot.stage.cursorTo(at.current.momentMs) });
  }, [plot.stage, range]);

  const show = (momentMs: number, onlyId: string | null, box: Element | null = null): void => {
    const { stage } = plot;
    at.current = { momentMs, onlyId };
    const view = stage.view();
    const beyond = Math.min(0, momentMs - view.startMs) + Math.max(0, momentMs - view.endMs);
    // With some room beyond, so that the next steps move nothing.
    const room = Math.sign(beyond) * (view.endMs - view.startMs) * LARGE_STEP;
    if (beyond !== 0) plot.move((now) => panBy(now, beyond + room));
    stage.highlight(onlyId);
    // Where each station has a plot of its own, it has to be in sight.
    const own = onlyId !== null && box?.querySelector(`[data-line="${CSS.escape(onlyId)}"]`);
    if (own) own.scrollIntoView({ block: "nearest" });
    useCursor.setState({ place: stage.cursorTo(momentMs) });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSpoken(spokenValues(models.current, momentMs, onlyId)), SPEAK_MS);
  };
  const hide = (): void => {
    if (at.current === null) return;
    if (at.current.onlyId !== null) plot.stage.highlight(null);
    at.current = null;
    clearTimeout(timer.current);
    plot.stage.cursorTo(null);
    useCursor.setState({ place: null });
    setSpoken("");
  };
  const onKey = ({ key, shiftKey, ctrlKey, metaKey, altKey, currentTarget }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    if (key === "Escape") {
      const isShown = at.current !== null;
      hide();
      return isShown;
    }
    const view = plot.stage.view();
    const span = view.endMs - view.startMs;
    const hand = useCursor.getState().place?.momentMs;
    const from = at.current?.momentMs ?? hand ?? view.startMs + span / 2;
    const onlyId = at.current?.onlyId ?? null;
    const lines = models.current.flatMap(allLines);
    const ids = [null, ...new Set(lines.map((line) => line.stationId))];
    const neighbour = (by: number): string | null => ids[(ids.indexOf(onlyId) + by + ids.length) % ids.length] ?? null;
    if (key === "ArrowUp") show(from, neighbour(-1), currentTarget);
    else if (key === "ArrowDown") show(from, neighbour(1), currentTarget);
    else if (key === "ArrowLeft" || key === "ArrowRight") {
      const direction = key === "ArrowLeft" ? -1 : 1;
      const tracks = lines.flatMap((line) =>
        line.track && (onlyId === null || line.stationId === onlyId) ? line.track : [],
      );
      const pixelMs = span / Math.max(1, document.documentElement.clientWidth);
      const start = shiftKey ? from + direction * span * LARGE_STEP : from;
      show(steppedMoment(tracks, start, direction, { view, pixelMs }), onlyId);
    } else return false;
    return true;
  };
  return { spoken, onKey, onBlur: hide };
}
