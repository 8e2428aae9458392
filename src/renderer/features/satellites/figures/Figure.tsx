import { Image } from "lucide-react";
import { memo, type ReactNode, useCallback, useRef } from "react";
import { IconButton } from "../../../ui/Button.tsx";
import { MenuButton } from "../../../ui/MenuButton.tsx";
import type { Paint } from "./FigureCanvas.tsx";
import classes from "../satellites.module.css";
import { saveBlob, provenance } from "../../series/image.ts";
import { showFault } from "../../../stores/toasts.ts";
import { figureTheme } from "../draw/theme.ts";

/** Pixels of a PNG for each of the figure's: sharp in print and on fine screens. */
const PNG_RATIO = 2;
const MARGIN_PX = 16;
const HEAD_PX = 52;
const FOOT_PX = 28;

export interface FigureFile {
  readonly title: string;
  /** Station, time and what was left out: a picture stands alone. */
  readonly subtitle: string;
  /** Without the extension. */
  readonly fileName: string;
  readonly paint: Paint;
  readonly width: number;
  readonly height: number;
}

/** Saves a figure as a picture with title, what it is of, and where the data come from. */
async function savePng(figure: FigureFile): Promise<void> {
  const theme = figureTheme();
  const source = await provenance();
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  const width = figure.width + 2 * MARGIN_PX;
  const height = figure.height + HEAD_PX + FOOT_PX;
  canvas.width = width * PNG_RATIO;
  canvas.height = height * PNG_RATIO;
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  ctx.scale(PNG_RATIO, PNG_RATIO);
  ctx.fillStyle = theme.surface;
  ctx.fillRect(0, 0, width, height);
  ctx.fillStyle = theme.text;
  ctx.font = theme.bold;
  ctx.fillText(figure.title, MARGIN_PX, 22);
  ctx.font = theme.font;
  ctx.fillStyle = theme.quiet;
  ctx.fillText(figure.subtitle, MARGIN_PX, 39, figure.width);
  ctx.fillText(source, MARGIN_PX, height - 10, figure.width);
  ctx.translate(MARGIN_PX, HEAD_PX);
  figure.paint(ctx, figure.width, figure.height, theme);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) saveBlob(blob, `${figure.fileName}.png`);
  else
    showFault({
      kind: "engine",
      message: "The picture is too large for this computer. Make the window smaller.",
      cause: null,
    });
}

function saveCsv(content: string, fileName: string): void {
  saveBlob(new Blob([content], { type: "text/csv" }), `${fileName}.csv`);
}

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
  readonly children: ReactNode;
}

/** A figure with its title, what is under the cursor, and the ways to keep it. */
export function Figure(props: FigureProps) {
  const { title, subtitle, fileName, paint, csv, controls, readout, className, children } = props;
  const host = useRef<HTMLElement>(null);
  const latest = useRef({ subtitle, fileName, paint, csv });
  latest.current = { subtitle, fileName, paint, csv };
  const savePicture = useCallback((): void => {
    const canvas = host.current?.querySelector("canvas");
    if (!canvas) return;
    const { clientWidth: width, clientHeight: height } = canvas;
    const { subtitle: subtitleNow, fileName: name, paint: painted } = latest.current;
    void savePng({ title, subtitle: subtitleNow(), fileName: name, paint: painted, width, height });
  }, [title]);
  const saveValues = useCallback(() => saveCsv(latest.current.csv(), latest.current.fileName), []);
  return (
    <section ref={host} aria-label={title} className={`${classes["figure"]} ${className ?? ""}`}>
      <header className={classes["figureHead"]}>
        <h3>{title}</h3>
        {controls}
        <span className={classes["spring"]} />
        <SaveMenu title={title} onPicture={savePicture} onValues={saveValues} />
      </header>
      {children}
      {readout === undefined ? null : <p className={classes["readout"]}>{readout}</p>}
    </section>
  );
}

interface SaveMenuProps {
  readonly title: string;
  readonly onPicture: () => void;
  readonly onValues: () => void;
}

const SaveMenu = memo(function SaveMenu({ title, onPicture, onValues }: SaveMenuProps) {
  return (
    <MenuButton
      label={`Save: ${title}`}
      button={
        <IconButton label={`Save: ${title}`}>
          <Image aria-hidden />
        </IconButton>
      }
      entries={[
        { id: "png", label: "PNG", detail: "the picture", onAction: onPicture },
        { id: "csv", label: "CSV", detail: "the values shown", onAction: onValues },
      ]}
    />
  );
});
