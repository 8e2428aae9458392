import { type RefObject, useEffect, useLayoutEffect, useState } from "react";
import { hatchFills } from "../../plot/hatch.ts";
import { onResizeOrThemeChange, pageTheme } from "../../plot/theme.ts";
import type { Brush } from "./paint.ts";

/** Draws on a canvas as large as it is shown, again with every change of what is drawn, of its size and of the theme. */
export function useCanvas(
  ref: RefObject<HTMLCanvasElement | null>,
  draw: (brush: Brush, widthPx: number, heightPx: number) => void,
): void {
  const [turn, setTurn] = useState(0);
  useEffect(() => (ref.current ? onResizeOrThemeChange(ref.current, () => setTurn((n) => n + 1)) : undefined), [ref]);
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
  }, [ref, draw, turn]);
}
