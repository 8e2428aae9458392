import { useEffect, useRef } from "react";
import type { Scene } from "#shared/plot/figure/scene.ts";
import { paintScene } from "../../plot/figure/paint.ts";
import classes from "./figure.module.css";

/** Pixels of the longer side: sharp on high-resolution screens, and fast to paint. */
const PREVIEW_PX = 900;

/** A preview of the figure, scaled to the dialog. */
export function FigurePreview({ scene }: { readonly scene: Scene }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      if (canvas.current) paintScene(scene, canvas.current, PREVIEW_PX / Math.max(scene.width, scene.height));
    });
    return () => cancelAnimationFrame(frame);
  }, [scene]);
  return (
    <div className={classes["preview"]}>
      <canvas ref={canvas} role="img" aria-label={`Preview: ${scene.title}`} />
    </div>
  );
}
