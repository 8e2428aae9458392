import { type ReactNode, useEffect, useRef } from "react";
import { onResizeOrThemeChange } from "../../../plot/theme.ts";
import { type FigurePoint, type FigureSize, figureTheme, type Paper } from "../draw/theme.ts";
import classes from "../satellites.module.css";

export type Paint = (paper: Paper) => void;

/** A point of a figure, with the size of the figure. */
export interface PointedAt extends FigurePoint, FigureSize {}

interface FigureCanvasProps {
  /** Description for screen readers. */
  readonly label: string;
  /** A new function causes repainting. */
  readonly paint: Paint;
  /** Subscribes to other changes that require repainting. @returns a function that unsubscribes */
  readonly subscribe?: (redraw: () => void) => () => void;
  readonly onPoint?: (point: PointedAt | null) => void;
  /** Called on a press, and on movements while pressed. */
  readonly onPress?: (point: PointedAt) => void;
  /** Value of `data-drawn` after painting. */
  readonly drawn?: string | undefined;
  readonly children?: ReactNode;
}

/** A canvas that fills its container at device resolution and follows the theme; painted at most once per frame. */
export function FigureCanvas({ label, paint, subscribe, onPoint, onPress, drawn, children }: FigureCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ paint, drawn });
  latest.current = { paint, drawn };
  const redrawSoon = useRef<() => void>(() => {});

  useEffect(() => {
    const target = canvas.current;
    const ctx = target?.getContext("2d");
    if (!target || !ctx) return;
    let theme = figureTheme();
    let frame = 0;
    const draw = (): void => {
      frame = 0;
      const ratio = devicePixelRatio;
      const { clientWidth: width, clientHeight: height } = target;
      const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
      if (target.width !== w || target.height !== h) {
        target.width = w;
        target.height = h;
      }
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
      ctx.clearRect(0, 0, width, height);
      if (width === 0 || height === 0) return;
      latest.current.paint({ ctx, width, height, theme });
      const { drawn: mark } = latest.current;
      if (mark === undefined) delete target.dataset["drawn"];
      else target.dataset["drawn"] = mark;
    };
    redrawSoon.current = () => void (frame ||= requestAnimationFrame(draw));
    const updateTheme = (): void => {
      theme = figureTheme();
      redrawSoon.current();
    };
    const unsubscribe = onResizeOrThemeChange(target, updateTheme);
    // Repaints texts when the bundled font has been loaded.
    void document.fonts.ready.then(updateTheme);
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, []);
  useEffect(() => redrawSoon.current(), [paint]);
  useEffect(() => subscribe?.(() => redrawSoon.current()), [subscribe]);

  return (
    <div className={`${classes["canvas"]} relative flex-1 min-h-30`}>
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onPointerMove={(event) => {
          const point = pointOf(event);
          onPoint?.(point);
          if (event.buttons === 1) onPress?.(point);
        }}
        onPointerLeave={() => onPoint?.(null)}
        onPointerDown={(event) => {
          if (event.button !== 0 || !onPress) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          onPress(pointOf(event));
        }}
      />
      {children}
    </div>
  );
}

function pointOf(event: React.PointerEvent): PointedAt {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top, width, height };
}
