import { useEffect, useRef } from "react";
import { paintScene } from "../../plot/figure/paint.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { followLook, pageTheme } from "../../plot/theme.ts";
import classes from "./compare.module.css";
import type { Picture } from "./figures/picture.ts";
import { MomentCursor, MomentReadout } from "./Moment.tsx";

/** A figure with its name: drawn again whenever it, its size or the theme changes. */
export function FigureCard({ picture, isWide = false }: { readonly picture: Picture; readonly isWide?: boolean }) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const latest = useRef(picture);
  latest.current = picture;
  const redraw = useRef(() => {});

  useEffect(() => {
    const box = host.current;
    const on = canvas.current;
    if (!box || !on) return;
    redraw.current = () => {
      const { clientWidth: width, clientHeight: height } = box;
      if (width > 0 && height > 0) paint(on, latest.current, width, height, pageTheme());
    };
    return followLook(box, redraw.current);
  }, []);
  useEffect(() => redraw.current(), [picture]);

  return (
    <figure className={classes["figure"]} data-wide={isWide || undefined} data-figure={picture.id}>
      <figcaption>
        <h3>{picture.title}</h3>
        <span className={classes["quiet"]}>{picture.note}</span>
      </figcaption>
      <div ref={host} className={classes["canvas"]}>
        <canvas ref={canvas} role="img" aria-label={`${picture.title}. ${picture.summary}`} />
        {picture.readings ? <MomentCursor title={picture.title} readings={picture.readings} /> : null}
      </div>
      {picture.readings ? <MomentReadout readings={picture.readings} /> : null}
    </figure>
  );
}

function paint(canvas: HTMLCanvasElement, picture: Picture, width: number, height: number, theme: PlotTheme): void {
  paintScene(
    {
      width,
      height,
      background: theme.colour("--surface"),
      fontFamily: theme.fontFamily,
      title: picture.title,
      colourOf: theme.colour,
      shapes: picture.draw(width, height, theme),
    },
    canvas,
    devicePixelRatio,
  );
}
