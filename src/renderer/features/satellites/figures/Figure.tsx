import { Image } from "lucide-react";
import { memo, type ReactNode, useCallback, useRef } from "react";
import { IconButton } from "../../../ui/Button.tsx";
import { openContextMenu } from "../../../ui/ContextMenu.tsx";
import { contextMenuHandlers } from "../../../ui/contextMenuHandlers.ts";
import { MenuButton, type MenuEntry } from "../../../ui/MenuButton.tsx";
import classes from "../satellites.module.css";
import type { FigureSource } from "#shared/plot/figure/page.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { saveBlob } from "../../../stores/saveBlob.ts";
import { type AnimationSource, saveAnimation } from "../../figure/animation.ts";
import { saveFigure } from "../../figure/open.ts";
import { figureTheme } from "../draw/theme.ts";
import type { Paint } from "./FigureCanvas.tsx";

interface FigureProps {
  readonly title: string;
  readonly subtitle: () => string;
  readonly fileName: string;
  readonly paint: Paint;
  readonly csv: () => string;
  /** Beside the title. */
  readonly controls?: ReactNode;
  /** What is under the cursor; keeps its line when there is nothing. Absent: said elsewhere. */
  readonly readout?: ReactNode;
  readonly className?: string | undefined;
  /** What can be done with what is under the cursor, before what can be done with the figure. */
  readonly menu?: () => readonly MenuEntry[];
  /** The figure over time, of the proportions that it has on the screen: height for each unit of width. */
  readonly animation?: (aspect: number) => AnimationSource;
  readonly children: ReactNode;
}

/** A figure with its title, what is under the cursor, and the ways to keep it. */
export function Figure(props: FigureProps) {
  const { title, subtitle, fileName, paint, csv, controls, readout, className, menu, animation, children } = props;
  const host = useRef<HTMLElement>(null);
  const latest = useRef({ subtitle, fileName, paint, csv, animation });
  latest.current = { subtitle, fileName, paint, csv, animation };
  const savePicture = useCallback((): void => {
    const canvas = host.current?.querySelector("canvas");
    if (!canvas) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const { subtitle: subtitleNow, fileName: name, paint: painted } = latest.current;
    const figure = drawingFigure({
      title,
      subtitle: subtitleNow(),
      fileName: name,
      paint: painted,
      aspect: height / Math.max(1, width),
    });
    saveFigure(figure);
  }, [title]);
  const saveMoving = useCallback((): void => {
    const canvas = host.current?.querySelector("canvas");
    const moving = latest.current.animation;
    if (canvas && moving) saveAnimation(moving(canvas.clientHeight / Math.max(1, canvas.clientWidth)));
  }, []);
  const saveValues = useCallback(() => saveCsv(latest.current.csv(), latest.current.fileName), []);
  const figureMenu = contextMenuHandlers(
    (target, at) => {
      if (target?.closest("button, header")) return false;
      const entries = [
        ...(menu?.() ?? []),
        { id: "figure", label: "Save figure…", onAction: savePicture },
        ...(animation ? [{ id: "animation", label: "Save animation…", onAction: saveMoving }] : []),
        { id: "csv", label: "Save the values as CSV", onAction: saveValues },
      ];
      openContextMenu({ label: title, ...at, entries });
      return true;
    },
    (box) => box.querySelector("canvas"),
  );
  return (
    <section
      ref={host}
      aria-label={title}
      className={`${classes["figure"]} ${className ?? ""}`}
      onContextMenu={figureMenu.onContextMenu}
      onKeyDown={figureMenu.onMenuKey}
    >
      <header className={classes["figureHead"]}>
        <h3>{title}</h3>
        {controls}
        <span className={classes["spring"]} />
        <SaveMenu
          title={title}
          onPicture={savePicture}
          onMoving={animation ? saveMoving : null}
          onValues={saveValues}
        />
      </header>
      {children}
      {readout === undefined ? null : <p className={classes["readout"]}>{readout}</p>}
    </section>
  );
}

interface SaveMenuProps {
  readonly title: string;
  readonly onPicture: () => void;
  readonly onMoving: (() => void) | null;
  readonly onValues: () => void;
}

const SaveMenu = memo(function SaveMenu({ title, onPicture, onMoving, onValues }: SaveMenuProps) {
  return (
    <MenuButton
      label={`Save: ${title}`}
      button={
        <IconButton label={`Save: ${title}`}>
          <Image aria-hidden />
        </IconButton>
      }
      entries={[
        { id: "figure", label: "Figure…", detail: "PNG, SVG, PDF", onAction: onPicture },
        ...(onMoving ? [{ id: "animation", label: "Animation…", detail: "GIF, PNG frames", onAction: onMoving }] : []),
        { id: "csv", label: "CSV", detail: "the values shown", onAction: onValues },
      ]}
    />
  );
});

interface FigureFile {
  readonly title: string;
  /** Station, time and what was left out: a figure stands alone. */
  readonly subtitle: string;
  /** Without the extension. */
  readonly fileName: string;
  readonly paint: Paint;
  /** Height for each unit of width, as it is on the screen. */
  readonly aspect: number;
}

/** A drawing of this view with title, what it is of, and where the data come from. */
export function drawingFigure({ title, subtitle, fileName, paint, aspect }: FigureFile): FigureSource {
  return {
    fileName,
    compose: (page) =>
      composeSheet(
        {
          title,
          subtitle,
          legend: [],
          notes: [],
          parts: [
            {
              height: (width) => width * aspect,
              draw: (width, height, theme) => [
                {
                  kind: "image",
                  x: 0,
                  y: 0,
                  width,
                  height,
                  paint: (ctx: CanvasRenderingContext2D, w: number, h: number) => paint(ctx, w, h, figureTheme(theme)),
                },
              ],
            },
          ],
        },
        page,
      ),
  };
}

function saveCsv(content: string, fileName: string): void {
  saveBlob(new Blob([content], { type: "text/csv" }), `${fileName}.csv`);
}
