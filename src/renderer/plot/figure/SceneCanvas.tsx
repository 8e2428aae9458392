import { cleanupOf } from "#shared/async.ts";
import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import type { Shape } from "#shared/plot/figure/scene.ts";
import type { SheetPart } from "#shared/plot/figure/sheet.ts";
import { type PointedAt, pointIn } from "../../ui/drag.ts";
import { followSize } from "../../ui/useSize.ts";
import { onThemeChange, pageTheme } from "../theme.ts";
import { paintScene } from "./paint.ts";

interface SceneCanvasProps {
  /** Description for screen readers; null if the values are text elsewhere. */
  readonly label: string | null;
  /** A new function causes repainting. */
  readonly draw: SheetPart<Shape>["draw"];
  /** Subscribes to other changes that require repainting. @returns a function that unsubscribes */
  readonly subscribe?: (redraw: () => void) => () => void;
  readonly onPoint?: (point: PointedAt | null) => void;
  /** Called on a press, and on movements while pressed. */
  readonly onPress?: (point: PointedAt) => void;
  /** Value of `data-drawn` after painting. */
  readonly drawn?: string | undefined;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** A drawing that fills its container and follows the theme; painted at most once per frame. */
export function SceneCanvas(props: SceneCanvasProps) {
  const { label, draw, subscribe, onPoint, onPress, className = "", children } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const redrawSoon = useRef<() => void>(() => {});

  useLayoutEffect(() => {
    const target = canvas.current;
    if (!target) return;
    let theme = pageTheme();
    let frame = 0;
    const paint = (): void => {
      frame = 0;
      const { clientWidth: width, clientHeight: height } = target;
      if (width === 0 || height === 0) return;
      const { draw: drawNow, drawn, label: title } = latest.current;
      const { fontFamily } = theme;
      const shapes = drawNow(width, height, theme);
      paintScene(
        { width, height, background: theme.colour("--surface"), fontFamily, title: title ?? "", shapes },
        target,
        devicePixelRatio,
      );
      if (drawn === undefined) delete target.dataset["drawn"];
      else target.dataset["drawn"] = drawn;
    };
    redrawSoon.current = () => void (frame ||= requestAnimationFrame(paint));
    const updateTheme = (): void => {
      theme = pageTheme();
      redrawSoon.current();
    };
    // Painted at once, so that rows that scroll into view are never blank.
    const unsubscribe = cleanupOf(followSize(target, paint), onThemeChange(updateTheme));
    // Repaints texts when the bundled font has been loaded.
    void document.fonts.ready.then(updateTheme);
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, []);
  useEffect(() => redrawSoon.current(), [draw]);
  useEffect(() => subscribe?.(() => redrawSoon.current()), [subscribe]);

  return (
    <div className={`relative overflow-hidden ${className}`}>
      <canvas
        ref={canvas}
        {...(label === null ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
        className="absolute inset-0 size-full"
        style={onPoint || onPress ? { touchAction: "none" } : undefined}
        onPointerMove={(event) => {
          const point = pointIn(event.currentTarget, event);
          onPoint?.(point);
          if (event.buttons === 1) onPress?.(point);
        }}
        onPointerLeave={() => onPoint?.(null)}
        onPointerDown={(event) => {
          if (event.button !== 0 || !onPress) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          onPress(pointIn(event.currentTarget, event));
        }}
      />
      {children}
    </div>
  );
}
