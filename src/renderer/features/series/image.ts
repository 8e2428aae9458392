import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { bridge } from "../../bridge/index.ts";
import { composeFigure } from "../../plot/figure/compose.ts";
import { paintScene } from "../../plot/figure/paint.ts";
import type { Scene } from "../../plot/figure/scene.ts";
import { sceneToSvg } from "../../plot/figure/svg.ts";
import type { PanelModel } from "../../plot/panel.ts";
import { pageTheme } from "../../plot/theme.ts";
import { useConnection } from "../../stores/connection.ts";
import { showFault } from "../../stores/toasts.ts";

/** Pixels of a PNG for each of the picture's: sharp in print and on fine screens. */
const PNG_RATIO = 2;
/** The link has to live until the browser has begun to read. */
const LINK_LIFE_MS = 60_000;

/** Saves what the panels show as a file with title, units, legends and where it comes from. */
export async function saveImage(format: "png" | "svg", models: readonly PanelModel[], view: TimeRange): Promise<void> {
  const scene = composeFigure(models, view, pageTheme(), {
    title: models.map((model) => model.quantity.label).join(", "),
    provenance: [await provenance(), ...(hasRaw(models) ? [RAW_WORDS] : [])].join(" "),
  });
  const blob = format === "svg" ? new Blob([sceneToSvg(scene)], { type: "image/svg+xml" }) : await png(scene);
  if (!blob) {
    showFault({ kind: "engine", message: "The picture is too large for this computer. Save it as SVG.", cause: null });
    return;
  }
  saveBlob(blob, fileName(models, view, format));
}

const RAW_WORDS = "Dim points: observations rejected by the quality filter.";

function hasRaw(models: readonly PanelModel[]): boolean {
  return models.some((model) => model.lines.some((line) => line.behind !== null));
}

/** Offers a file that was made in the window, as a download. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LINK_LIFE_MS);
}

async function png(scene: Scene): Promise<Blob | null> {
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  paintScene(scene, canvas, PNG_RATIO);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** "zenith-ztd-pwv-20261114-20261121.png" */
function fileName(models: readonly PanelModel[], view: TimeRange, format: string): string {
  const variables = models
    .map((model) => model.quantity.key.replaceAll(/[^a-z0-9]+/gi, "-"))
    .join("-")
    .slice(0, 80);
  return `zenith-${variables}-${day(view.startMs)}-${day(view.endMs)}.${format}`;
}

function day(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
}

/** The service by its origin alone: a path or a name and password in an address are no one else's business. */
export async function provenance(): Promise<string> {
  const info = useConnection.getState().current?.info;
  const source =
    info === undefined ? "cache" : info.kind === "demo" ? "embedded reference service" : new URL(info.baseUrl).origin;
  const about = await bridge.system.about({});
  const program = about.ok ? `${about.value.name} ${about.value.version}` : "Zenith Desk";
  return `Data from ${source}, as cached at ${formatUtcShort(Math.floor(Date.now() / 1000) * 1000)}. Drawn by ${program}.`;
}
