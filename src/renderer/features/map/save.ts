import type { UtcMs } from "#shared/time/utc.ts";
import { scaleBar } from "../../map/scaleBar.ts";
import type { MapStage } from "../../map/stage.ts";
import { type FigureSource, type LegendEntry, text } from "#shared/plot/figure/page.ts";
import type { Shape } from "#shared/plot/figure/scene.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import { count, utc } from "../../ui/text.ts";
import { type ColouredStations, SERVICE_LABEL } from "./colouring.ts";
import type { Frame } from "./frames.ts";

const SCALE_WIDTH = 160;
const SCALE_HEIGHT = 44;
const FOOTER_HEIGHT = 22;

/** Formats a time for file names: "20261114T081230Z". */
export function fileStamp(momentMs: UtcMs): string {
  return `${new Date(momentMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** Returns a figure of the current map with title, legend, scale bar and source. @param frame null without a moment */
export function mapFigure(
  stage: MapStage,
  colouredIn: (theme: PlotTheme) => ColouredStations,
  frame: Pick<Frame, "momentMs"> | null,
): FigureSource {
  const { widthPx, heightPx } = stage.size();
  return {
    fileName: `zenith-map${frame ? `-${fileStamp(frame.momentMs)}` : ""}`,
    compose(page) {
      const { legend, painting } = colouredIn(page.theme);
      const hasScale = legend.ends !== null && page.legend !== "none";
      const above = hasScale ? SCALE_HEIGHT : 0;
      return composeSheet(
        {
          title: legend.title,
          subtitle: frame ? `${utc(frame.momentMs)} UTC` : "All stations",
          legend: legendEntries(legend, page.theme),
          notes: [...(legend.note === null ? [] : [legend.note]), "Coasts and borders: Natural Earth."],
          parts: [
            {
              height: (width) => (width * heightPx) / widthPx + above + FOOTER_HEIGHT,
              draw(width, height, theme) {
                // The map keeps its proportions.
                const scale = Math.min(width / widthPx, (height - above - FOOTER_HEIGHT) / heightPx);
                const bar = scaleBar(stage.camera().scale * scale, 140);
                const barY = above + heightPx * scale + 12;
                return [
                  ...(hasScale ? scaleShapes(legend, theme) : []),
                  {
                    kind: "image",
                    x: 0,
                    y: above,
                    width: widthPx * scale,
                    height: heightPx * scale,
                    paint(ctx: CanvasRenderingContext2D) {
                      ctx.scale(scale, scale);
                      ctx.beginPath();
                      ctx.rect(0, 0, widthPx, heightPx);
                      ctx.clip();
                      stage.paint(ctx, theme, painting);
                    },
                  },
                  {
                    kind: "rect",
                    x: 0,
                    y: barY,
                    width: bar.widthPx,
                    height: 2,
                    colour: theme.colour("--text"),
                    opacity: 1,
                  },
                  text(bar.widthPx + 8, barY + 5, bar.text, theme.colour("--text-2")),
                ];
              },
            },
          ],
        },
        page,
      );
    },
  };
}

/** Draws the colour scale with the values of both ends. */
function scaleShapes({ ramp, ends, title }: ColouredStations["legend"], theme: PlotTheme): Shape[] {
  const step = SCALE_WIDTH / ramp.length;
  const quiet = theme.colour("--text-2");
  return [
    ...ramp.map((colour, i): Shape => ({
      kind: "rect",
      x: i * step,
      y: 2,
      width: step + 0.3,
      height: 10,
      colour,
      opacity: 1,
    })),
    text(0, 26, ends?.[0] ?? "", quiet),
    text(SCALE_WIDTH, 26, ends?.[1] ?? "", quiet, { anchor: "end" }),
    text(SCALE_WIDTH + 12, 11, title, theme.colour("--text")),
  ];
}

function legendEntries(
  { classes, serviceCount, noValue }: ColouredStations["legend"],
  theme: PlotTheme,
): LegendEntry[] {
  return [
    ...classes.map(({ label, colour, count: n }): LegendEntry => ({
      name: `${label} (${count(n)})`,
      swatch: (x, y) => [{ kind: "area", points: circle(x + 10, y, 4.5), colour, opacity: 1 }],
    })),
    ...(serviceCount > 0 ? [ring(`${SERVICE_LABEL} (${count(serviceCount)})`, theme.colour("--ramp-middle"), 3)] : []),
    ...(noValue.count > 0
      ? [ring(`${noValue.label} (${count(noValue.count)})`, theme.colour("--map-nothing"), 1)]
      : []),
  ];
}

function circle(x: number, y: number, radius: number): number[] {
  return Array.from({ length: 25 }, (_, i) => [
    x + radius * Math.cos((i * Math.PI) / 12),
    y + radius * Math.sin((i * Math.PI) / 12),
  ]).flat();
}

function ring(name: string, colour: string, width: number): LegendEntry {
  return {
    name,
    swatch: (x, y) => [{ kind: "line", points: circle(x + 10, y, 4), colour, width, dash: [] }],
  };
}
