import { useEffect, useRef } from "react";
import { paintScene } from "../../plot/figure/paint.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { onResizeOrThemeChange, pageTheme } from "../../plot/theme.ts";
import { copyText } from "../../stores/copyText.ts";
import { contextMenuHandlers, type MenuPosition, openContextMenu } from "../../ui/ContextMenu.tsx";
import classes from "./compare.module.css";
import type { Picture } from "./figures/picture.ts";
import { TimeCursor, TimeReadout, textAtCursor } from "./TimeCursor.tsx";
import { saveTable, saveSheet, type Sheet } from "./save.ts";

interface FigureCardProps {
  readonly picture: Picture;
  /** The figures and tables of the part that this figure belongs to. */
  readonly sheet: Sheet;
}

/** The figures of a part. */
export function Figures({ sheet }: { readonly sheet: Sheet }) {
  return (
    <div className="flex flex-[1_0_auto] flex-wrap gap-4">
      {sheet.pictures.map((picture) => (
        <FigureCard key={picture.id} picture={picture} sheet={sheet} />
      ))}
    </div>
  );
}

/** A figure with title and note; redrawn when the figure, its size or the theme changes. */
function FigureCard({ picture, sheet }: FigureCardProps) {
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
      if (width > 0 && height > 0) paint(on, latest.current, { width, height }, pageTheme());
    };
    return onResizeOrThemeChange(box, redraw.current);
  }, []);
  useEffect(() => redraw.current(), [picture]);

  const menu = contextMenuHandlers(
    (_, at) => {
      openFigureMenu(picture, sheet, at);
      return true;
    },
    () => host.current,
  );
  return (
    <figure
      className={`${classes["figure"]} stack flex-[1_1_280px] min-w-0 m-0`}
      data-wide={(picture.isWide ?? picture.readings !== undefined) || undefined}
      data-figure={picture.id}
      onContextMenu={menu.onContextMenu}
      onKeyDown={menu.onMenuKey}
    >
      <figcaption className="stack gap-0.5 pb-1">
        <h3>{picture.title}</h3>
        <span className="caption">{picture.note}</span>
      </figcaption>
      <div ref={host} className={`${classes["canvas"]} relative flex-1 min-h-[260px] max-h-[480px] overflow-hidden`}>
        <canvas ref={canvas} role="img" aria-label={`${picture.title}. ${picture.summary}`} />
        {picture.readings ? <TimeCursor title={picture.title} readings={picture.readings} /> : null}
      </div>
      {picture.readings ? <TimeReadout readings={picture.readings} /> : null}
    </figure>
  );
}

function openFigureMenu(picture: Picture, sheet: Sheet, at: MenuPosition): void {
  const words = picture.readings && textAtCursor(picture.readings);
  openContextMenu({
    label: picture.title,
    ...at,
    entries: [
      ...(words
        ? [
            {
              id: "copy",
              label: "Copy the values here",
              onAction: () => copyText(words, "The values are copied."),
            },
          ]
        : []),
      { id: "figure", label: "Save this figure…", onAction: () => saveSheet({ ...sheet, pictures: [picture] }) },
      {
        id: "all",
        label: "Save all figures…",
        isDisabled: sheet.pictures.length < 2,
        onAction: () => saveSheet(sheet),
      },
      ...sheet.tables.map((table) => ({
        id: table.id,
        label: `Save ${table.label.toLowerCase()} as CSV`,
        onAction: () => saveTable(sheet, table),
      })),
    ],
  });
}

function paint(
  canvas: HTMLCanvasElement,
  picture: Picture,
  { width, height }: { readonly width: number; readonly height: number },
  theme: PlotTheme,
): void {
  paintScene(
    {
      width,
      height,
      background: theme.colour("--surface"),
      fontFamily: theme.fontFamily,
      title: picture.title,
      shapes: picture.draw(width, height, theme),
    },
    canvas,
    devicePixelRatio,
  );
}
