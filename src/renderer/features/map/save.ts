import type { UtcMs } from "#shared/time/utc.ts";
import { scaleBar } from "../../map/scaleBar.ts";
import type { MapStage } from "../../map/stage.ts";
import { pageTheme, type PlotTheme } from "../../plot/theme.ts";
import { showFault } from "../../stores/toasts.ts";
import { count, utc } from "../../ui/text.ts";
import { type Legend, TOLD_WORDS } from "./colouring.ts";
import type { Frame } from "./frames.ts";

/** The link has to live until the browser has begun to read. */
const LINK_LIFE_MS = 60_000;
const RATIO = 2;
const HEAD_PX = 36;
const FOOT_PX = 28;
const LEGEND_PX = 184;
const ROW_PX = 18;

/** Hands a file to the browser to save. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), LINK_LIFE_MS);
}

/** "20261114T081230Z" */
export function fileStamp(momentMs: UtcMs): string {
  return `${new Date(momentMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** The map as it is, with title, legend, scale and source. */
export async function saveMapImage(stage: MapStage, legend: Legend, frame: Frame | null): Promise<void> {
  await document.fonts.ready;
  const map = document.createElement("canvas");
  stage.paint(map, RATIO);
  const canvas = document.createElement("canvas");
  const { widthPx, heightPx } = stage.size();
  const size = { width: widthPx + LEGEND_PX, height: heightPx + HEAD_PX + FOOT_PX };
  canvas.width = size.width * RATIO;
  canvas.height = size.height * RATIO;
  const ctx = canvas.getContext("2d");
  if (!ctx) return;
  const theme = pageTheme();
  ctx.scale(RATIO, RATIO);
  ctx.fillStyle = theme.colour("--surface");
  ctx.fillRect(0, 0, size.width, size.height);
  ctx.drawImage(map, 0, HEAD_PX, widthPx, heightPx);
  const write = writer(ctx, theme);
  write(frame ? `${legend.title} · ${utc(frame.momentMs)} UTC` : legend.title, 12, 23, 14, "--text", 600);
  drawLegend(ctx, legend, theme, write, widthPx + 16, HEAD_PX + 12);
  const bar = scaleBar(stage.camera().scale, 140);
  ctx.fillStyle = theme.colour("--text-2");
  ctx.fillRect(12, size.height - 12, bar.widthPx, 2);
  write(bar.text, 12 + bar.widthPx + 8, size.height - 9, 11, "--text-2");
  write("Coasts and borders: Natural Earth", 12 + bar.widthPx + 96, size.height - 9, 11, "--text-3");
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) saveBlob(blob, `zenith-map${frame ? `-${fileStamp(frame.momentMs)}` : ""}.png`);
  else
    showFault({
      kind: "engine",
      message: "The picture is too large for this computer. Make the window smaller.",
      cause: null,
    });
}

type Write = (text: string, x: number, y: number, size: number, token: string, weight?: number) => void;

function writer(ctx: CanvasRenderingContext2D, theme: PlotTheme): Write {
  return (text, x, y, size, token, weight = 400) => {
    ctx.font = `${weight} ${size}px ${theme.fontFamily}`;
    ctx.fillStyle = theme.colour(token);
    ctx.fillText(text, x, y);
  };
}

function drawLegend(
  ctx: CanvasRenderingContext2D,
  legend: Legend,
  theme: PlotTheme,
  write: Write,
  x: number,
  top: number,
): void {
  let y = top;
  if (legend.ends) {
    const width = LEGEND_PX - 32;
    const gradient = ctx.createLinearGradient(x, 0, x + width, 0);
    legend.ramp.forEach((colour, i) => gradient.addColorStop(i / (legend.ramp.length - 1), colour));
    ctx.fillStyle = gradient;
    ctx.fillRect(x, y, width, 10);
    write(legend.ends[0], x, y + 26, 11, "--text-2");
    ctx.textAlign = "right";
    write(legend.ends[1], x + width, y + 26, 11, "--text-2");
    ctx.textAlign = "left";
    y += 44;
  }
  for (const { label, colour, count: n } of legend.classes) {
    dot(ctx, x + 5, y, colour);
    write(`${label} (${count(n)})`, x + 18, y + 4, 11, "--text");
    y += ROW_PX;
  }
  if (legend.told > 0) {
    ctx.beginPath();
    ctx.arc(x + 5, y, 3, 0, 2 * Math.PI);
    ctx.lineWidth = 3;
    ctx.strokeStyle = theme.colour("--ramp-middle");
    ctx.stroke();
    ctx.lineWidth = 1;
    write(`${TOLD_WORDS} (${count(legend.told)})`, x + 18, y + 4, 11, "--text-2");
    y += ROW_PX;
  }
  if (legend.nothing.count === 0) return;
  ctx.beginPath();
  ctx.arc(x + 5, y, 4, 0, 2 * Math.PI);
  ctx.strokeStyle = theme.colour("--map-nothing");
  ctx.stroke();
  write(`${legend.nothing.label} (${count(legend.nothing.count)})`, x + 18, y + 4, 11, "--text-2");
}

function dot(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  ctx.beginPath();
  ctx.arc(x, y, 4.5, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
}
