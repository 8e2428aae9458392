import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { hatchFills } from "../../plot/hatch.ts";
import { onResizeOrThemeChange, pageTheme } from "../../plot/theme.ts";
import type { DrawContext } from "./paint.ts";

/** Draws on a canvas at device resolution, and again when `draw`, the size or the theme changes. */
export function useCanvas(
  ref: RefObject<HTMLCanvasElement | null>,
  draw: (context: DrawContext, widthPx: number, heightPx: number) => void,
): void {
  const [revision, setRevision] = useState(0);
  useEffect(
    () => (ref.current ? onResizeOrThemeChange(ref.current, () => setRevision((n) => n + 1)) : undefined),
    [ref],
  );
  useLayoutEffect(() => {
    const canvas = ref.current;
    const ctx = canvas?.getContext("2d");
    if (!canvas || !ctx) return;
    const { clientWidth, clientHeight } = canvas;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(clientWidth * ratio);
    canvas.height = Math.round(clientHeight * ratio);
    ctx.scale(ratio, ratio);
    const theme = pageTheme();
    draw({ ctx, theme, hatches: hatchFills(ctx, theme.colour, 1) }, clientWidth, clientHeight);
  }, [ref, draw, revision]);
}
