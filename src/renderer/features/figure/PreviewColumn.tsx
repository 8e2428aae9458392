import { type ComponentProps, type ReactNode, useEffect, useRef } from "react";
import type { Scene } from "#shared/plot/figure/scene.ts";
import { paintScene } from "../../plot/figure/paint.ts";
import { Segments } from "../../ui/choices.tsx";
import classes from "./figure.module.css";

/** Pixels of the longer side: sharp on high-resolution screens, and fast to paint. */
const PREVIEW_PX = 900;

interface PreviewColumnProps {
  readonly scene: Scene | null;
  readonly status: string;
  readonly problem: string | null;
  readonly children?: ReactNode;
}

/** The right column of a form: the preview with its status, its progress as children, and the problem if there is one. */
export function PreviewColumn({ scene, status, problem, children }: PreviewColumnProps) {
  return (
    <div className={classes["shown"]}>
      {scene ? <Preview scene={scene} /> : <div className={classes["preview"]} />}
      <p className="caption" role="status">
        {status}
      </p>
      {children}
      {problem === null ? null : (
        <p className="text-danger" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A preview of the figure, scaled to the dialog. */
function Preview({ scene }: { readonly scene: Scene }) {
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

/** A choice of one of a few values, with its name beside it. */
export function NamedSegments<Value extends string>(props: ComponentProps<typeof Segments<Value>>) {
  return (
    <div className="stack caption items-start gap-1">
      <span aria-hidden>{props.label}</span>
      <Segments {...props} />
    </div>
  );
}
