import type { Bridge } from "#shared/bridge/contract.ts";
import { type CsvCell, csvTable } from "#shared/file/csv.ts";
import { rect } from "#shared/plot/figure/axes.ts";
import { type FigureSource, type LegendEntry, text } from "#shared/plot/figure/page.ts";
import { colourBar } from "#shared/plot/figure/colourBar.ts";
import type { VectorShape } from "#shared/plot/figure/scene.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { ring, symbol } from "#shared/plot/figure/symbols.ts";
import type { PlotTheme } from "#shared/plot/theme.ts";
import type { Absence } from "#shared/series/gap.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { formatUtc, type UtcMs } from "#shared/time/utc.ts";
import { earthBox, scaleBar } from "../../map/camera.ts";
import type { MapStage } from "../../map/stage.ts";
import { count, utc } from "../../ui/text.ts";
import type { AnimationSource } from "../../plot/figure/animation.ts";
import { type ColouredStations, SERVICE_LABEL } from "./colouring.ts";
import { type Frame, readFrames } from "./frames.ts";
import { REDUCED, stationValues } from "./scale.ts";
import type { ColouredView } from "./useScale.ts";
import type { Snapshot } from "./useSnapshot.ts";

interface SnapshotColumns {
  readonly variables: readonly Variable[];
  readonly causes: Partial<Record<Variable, ReadonlyMap<string, Absence>>>;
  /** Whether the height-reduced anomaly of ZTD, as the map shows it, follows the values. */
  readonly hasAnomaly: boolean;
}

/**
 * Returns a CSV with a line for each station: values in mm with time (UTC), age in seconds and source, or the cause of the
 * missing value.
 */
export function snapshotCsv(
  stations: readonly CatalogueStation[],
  frame: Frame,
  { variables, causes, hasAnomaly }: SnapshotColumns,
): string {
  const anomalies = hasAnomaly ? stationValues(REDUCED, stations, frame) : null;
  const head = [
    "station_id",
    "name",
    "network",
    "latitude_deg",
    "longitude_deg",
    "ellipsoidal_height_m",
    "moment",
    ...variables.flatMap((v) => [`${v}_mm`, `${v}_time`, `${v}_age_s`, `${v}_from`, `${v}_missing_because`]),
    ...(anomalies ? ["ztd_height_reduced_anomaly_mm"] : []),
  ];
  const lines = stations.map((s, i): CsvCell[] => {
    const readings = variables.map((v) => ({ reading: frame.read(s.id, v), cause: causes[v]?.get(s.id)?.cause ?? "" }));
    return [
      s.id,
      s.displayName,
      s.networkCode,
      s.latitudeDeg,
      s.longitudeDeg,
      s.ellipsoidalHeight,
      formatUtc(frame.momentMs),
      ...readings.flatMap(({ reading: r, cause }) =>
        r ? [r.value, formatUtc(r.timeMs), (frame.momentMs - r.timeMs) / 1_000, r.from, ""] : ["", "", "", "", cause],
      ),
      ...(anomalies ? [anomalyCell(anomalies[i])] : []),
    ];
  });
  return csvTable(head, lines);
}

function anomalyCell(value = Number.NaN): CsvCell {
  return Number.isNaN(value) ? "" : Math.round(value * 1_000) / 1_000;
}

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
  const { x, y, widthPx, heightPx } = earthBox(stage.camera(), stage.size());
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
                  ...(hasScale ? scaleLegend(legend, theme) : []),
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
                      ctx.translate(-x, -y);
                      stage.paint(ctx, theme, painting);
                    },
                  },
                  rect({ x: 0, y: barY, width: bar.widthPx, height: 2 }, theme.colour("--text")),
                  text([bar.widthPx + 8, barY + 5], bar.text, theme.colour("--text-2")),
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

function legendEntries(
  { classes, serviceCount, noValue }: ColouredStations["legend"],
  theme: PlotTheme,
): LegendEntry[] {
  return [
    ...classes.map(({ label, colour, count: n }): LegendEntry => ({
      name: `${label} (${count(n)})`,
      swatch: (x, y) => [symbol("circle", [x + 10, y], 4.5, colour)],
    })),
    ...(serviceCount > 0
      ? [ringEntry(`${SERVICE_LABEL} (${count(serviceCount)})`, theme.colour("--ramp-middle"), 3)]
      : []),
    ...(noValue.count > 0
      ? [ringEntry(`${noValue.label} (${count(noValue.count)})`, theme.colour("--map-nothing"), 1)]
      : []),
  ];
}

function ringEntry(name: string, colour: string, width: number): LegendEntry {
  return { name, swatch: (x, y) => [ring("circle", [x + 10, y], 4, { colour, width })] };
}

function scaleLegend({ ramp, ends, title }: ColouredStations["legend"], theme: PlotTheme): VectorShape[] {
  const labels = (ends ?? []).map((words, end) => [end, words] as const);
  const ink = { label: theme.colour("--text-2"), title: theme.colour("--text") };
  return colourBar({ x: 0, y: 2, length: SCALE_WIDTH, direction: "right" }, { colours: ramp, labels, title }, ink);
}

interface AnimatedMap {
  readonly stage: MapStage;
  readonly coloured: ColouredView;
  readonly snapshot: Snapshot;
  readonly variable: Variable;
}

/** Moments per request. */
const BATCH_SIZE = 16;

/** Returns an animation of the map over the time range, with the current view and one colour scale for all moments. */
export function mapAnimation(
  bridge: Pick<Bridge, "snapshot">,
  { stage, coloured, snapshot, variable }: AnimatedMap,
): AnimationSource {
  const { query, firstMs, lastMs, stepMs } = snapshot;
  return {
    fileName: `zenith-map-${fileStamp(firstMs)}-${fileStamp(lastMs)}`,
    firstMs,
    lastMs,
    stepMs,
    async *figures(momentsMs: readonly UtcMs[], signal: AbortSignal) {
      for (let at = 0; at < momentsMs.length; at += BATCH_SIZE) {
        const request = { ...query, variables: [variable], momentsMs: momentsMs.slice(at, at + BATCH_SIZE) };
        const answer = await bridge.snapshot.read(request, { signal });
        if (!answer.ok) throw new Error(answer.error.message);
        for (const frame of readFrames(answer.value))
          yield mapFigure(stage, (theme) => coloured.at(frame, theme), frame);
      }
    },
  };
}
