import { SceneCanvas } from "../../plot/figure/SceneCanvas.tsx";
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
  const menu = contextMenuHandlers(
    (_, at) => {
      openFigureMenu(picture, sheet, at);
      return true;
    },
    (figure) => figure.querySelector("canvas"),
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
      <SceneCanvas
        label={`${picture.title}. ${picture.summary}`}
        draw={picture.draw}
        className="flex-1 min-h-[260px] max-h-[480px]"
      >
        {picture.readings ? <TimeCursor title={picture.title} readings={picture.readings} /> : null}
      </SceneCanvas>
      {picture.readings ? <TimeReadout readings={picture.readings} /> : null}
    </figure>
  );
}

function openFigureMenu(picture: Picture, sheet: Sheet, at: MenuPosition): void {
  const words = picture.readings ? textAtCursor(picture.readings) : null;
  openContextMenu({
    label: picture.title,
    ...at,
    entries: [
      words !== null && {
        id: "copy",
        label: "Copy the values here",
        onAction: () => copyText(words, "The values were copied."),
      },
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
