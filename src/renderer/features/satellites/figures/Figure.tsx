import { Image } from "lucide-react";
import { memo, type ReactNode, useCallback, useRef } from "react";
import { IconButton } from "../../../ui/Button.tsx";
import { contextMenuHandlers, openContextMenu } from "../../../ui/ContextMenu.tsx";
import { MenuButton, type MenuEntry } from "../../../ui/MenuButton.tsx";
import { saveEntries } from "../../../ui/SaveMenu.tsx";
import classes from "../satellites.module.css";
import type { FigureSource } from "#shared/plot/figure/page.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { composeSheet, type SheetPart } from "#shared/plot/figure/sheet.ts";
import { saveCsv } from "../../../stores/saveBlob.ts";
import type { AnimationSource } from "../../../plot/figure/animation.ts";
import { SceneCanvas } from "../../../plot/figure/SceneCanvas.tsx";
import { openDialog, saveFigure } from "../../../stores/dialogs.ts";

/** Draws a figure of this view, the same on the screen and in a file, at any size. */
export type Draw = SheetPart<VectorShape>["draw"];

type CanvasProps = Pick<
  Parameters<typeof SceneCanvas>[0],
  "label" | "subscribe" | "onPoint" | "onPress" | "drawn" | "children"
>;

interface FigureProps extends CanvasProps {
  readonly title: string;
  readonly subtitle: () => string;
  readonly fileName: string;
  readonly draw: Draw;
  /** Returns a drawing for a file that does not change with the moment; by default, `draw`. */
  readonly still?: () => Draw;
  readonly csv: () => string;
  /** Beside the title. */
  readonly controls?: ReactNode;
  /** Values at the cursor; absent if they are shown elsewhere. */
  readonly readout?: ReactNode;
  readonly className?: string | undefined;
  /** Menu entries for the object under the cursor, shown before those of the figure. */
  readonly menu?: () => readonly MenuEntry[];
  /** Returns an animation of the figure. `aspect` is height divided by width, as on the screen. */
  readonly animation?: (aspect: number) => AnimationSource;
  /** Below the drawing. */
  readonly foot?: ReactNode;
}

/** A figure with title, readout and menu for saving. */
export function Figure(props: FigureProps) {
  const { title, draw, controls, readout, className, menu, animation, foot, ...canvasProps } = props;
  const host = useRef<HTMLElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const aspectNow = (): number => {
    const { clientWidth = 1, clientHeight = 1 } = host.current?.querySelector("canvas") ?? {};
    return clientHeight / Math.max(1, clientWidth);
  };
  const savePicture = useCallback((): void => {
    const { subtitle, fileName, still, draw: drawNow } = latest.current;
    saveFigure(
      drawingFigure({ title, subtitle: subtitle(), fileName, draw: still?.() ?? drawNow, aspect: aspectNow() }),
    );
  }, [title]);
  const saveAsAnimation = useCallback((): void => {
    const source = latest.current.animation?.(aspectNow());
    if (source) openDialog({ kind: "animation", source });
  }, []);
  const saveValues = useCallback(() => saveCsv(latest.current.csv(), latest.current.fileName), []);
  const figureMenu = contextMenuHandlers(
    (target, at) => {
      if (target?.closest("button, header")) return false;
      const entries = [
        ...(menu?.() ?? []),
        { id: "figure", label: "Save figure…", onAction: savePicture },
        animation !== undefined && { id: "animation", label: "Save animation…", onAction: saveAsAnimation },
        { id: "csv", label: "Save values as CSV", onAction: saveValues },
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
      <header className={`${classes["figureHead"]} row flex-wrap gap-x-2 gap-y-1 min-h-8`}>
        <h3>{title}</h3>
        {controls}
        <span className="flex-1" />
        <SaveButton
          title={title}
          onPicture={savePicture}
          onAnimation={animation ? saveAsAnimation : undefined}
          onValues={saveValues}
        />
      </header>
      <SceneCanvas {...canvasProps} draw={draw} className={`${classes["canvas"]} flex-1 min-h-30`} />
      {foot}
      {readout === undefined ? null : <p className="caption line-clamp-2 h-9 tabular-nums">{readout}</p>}
    </section>
  );
}

interface SaveButtonProps {
  readonly title: string;
  readonly onPicture: () => void;
  readonly onAnimation: (() => void) | undefined;
  readonly onValues: () => void;
}

const SaveButton = memo(function SaveButton({ title, onPicture, onAnimation, onValues }: SaveButtonProps) {
  const label = `Save: ${title}`;
  const values = { id: "csv", label: "CSV", detail: "the values shown", onAction: onValues };
  const savable = { figure: onPicture, ...(onAnimation ? { animation: onAnimation } : {}), others: [values] };
  return <MenuButton label={label} button={<IconButton label={label} icon={Image} />} entries={saveEntries(savable)} />;
});

interface FigureFile {
  readonly title: string;
  /** Station, time and filters, so that the figure can be understood by itself. */
  readonly subtitle: string;
  /** Without the extension. */
  readonly fileName: string;
  readonly draw: Draw;
  /** Height divided by width, as on the screen. */
  readonly aspect: number;
}

/** Returns a drawing of this view as a figure with title and subtitle. */
export function drawingFigure({ title, subtitle, fileName, draw, aspect }: FigureFile): FigureSource {
  const parts = [{ height: (width: number) => width * aspect, draw }];
  return { fileName, compose: (page) => composeSheet({ title, subtitle, legend: [], notes: [], parts }, page) };
}
