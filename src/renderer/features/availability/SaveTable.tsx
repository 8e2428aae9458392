import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { type CsvColumns, csvRows, csvTable } from "#shared/file/csv.ts";
import { percent, roundedShare } from "#shared/series/statistics.ts";
import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { GapCause } from "#shared/series/gap.ts";
import { gapEntries } from "#shared/plot/figure/compose.ts";
import { type FigurePage, type LegendEntry, text, textWidth } from "#shared/plot/figure/page.ts";
import type { Scene, VectorShape } from "#shared/plot/figure/scene.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { timeTicks } from "#shared/plot/timeTicks.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { saveCsv } from "../../stores/saveBlob.ts";
import { SaveMenu } from "../../ui/SaveMenu.tsx";
import { saveFigure } from "../../stores/dialogs.ts";
import { completenessOf, type StationLine, sumCounts } from "./table.ts";
import { utcDay, utcMinutes } from "../../ui/text.ts";
import { edgePx } from "./calendarGrid.ts";
import { type BinStyle, binStyle, LEVELS } from "./binStyle.ts";
import { rowShapes } from "./rowShapes.ts";

/** Writes a row for each station and day in the order of the table. `complete_percent` is empty if nothing was requested. */
export function availabilityCsv(
  availability: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  lastUpdatedMs: (stationId: string) => number | null,
): string {
  const days = lines.flatMap(({ stationId, name, index }) =>
    Array.from({ length: availability.bins }, (_, bin) => ({
      stationId,
      name,
      day: utcDay(availability.firstMs + bin * availability.binMs),
      counts: sumCounts(availability, index, bin, bin + 1),
      mayStillArrive: availability.mayStillArrive[index * availability.bins + bin] ?? null,
    })),
  );
  const columns: CsvColumns<(typeof days)[number]> = {
    station_id: ({ stationId }) => stationId,
    display_name: ({ name }) => name,
    variable: () => variable,
    day: ({ day }) => day,
    expected: ({ counts }) => counts.expected,
    received: ({ counts }) => counts.received,
    filtered: ({ counts }) => counts.filtered,
    missing: ({ counts }) => counts.missing,
    failed: ({ counts }) => counts.failed,
    not_requested: ({ counts }) => counts.notRequested,
    complete_percent({ counts }) {
      const share = completenessOf(counts);
      return share === null ? "" : (roundedShare(share, 3) * 100).toFixed(3);
    },
    may_still_arrive: ({ mayStillArrive }) => mayStillArrive,
    data_last_updated({ stationId }) {
      const updatedMs = lastUpdatedMs(stationId);
      return updatedMs === null ? "" : formatUtcShort(updatedMs);
    },
  };
  return csvTable(Object.keys(columns), csvRows(columns, days));
}

interface SaveTableProps {
  readonly availability: SeriesAvailability;
  readonly lines: readonly StationLine[];
  readonly variable: Variable;
}

/** A menu that saves the table as CSV or as a figure. */
export function SaveTable({ availability, lines, variable }: SaveTableProps) {
  const lastMs = availability.firstMs + (availability.bins - 1) * availability.binMs;
  const name = `zenith-availability-${variable.replace("_", "-")}-${utcDay(availability.firstMs)}-${utcDay(lastMs)}`;
  const saveRows = (): void => {
    const { byId } = useCatalogue.getState();
    saveCsv(
      availabilityCsv(availability, lines, variable, (id) => byId.get(id)?.dataLastUpdatedMs ?? null),
      name,
    );
  };
  const saveAsFigure = (): void =>
    saveFigure({
      fileName: name,
      compose: (page) => availabilityFigure(availability, lines, variableInfo(variable).label, page),
    });
  const csv = { id: "csv", label: "CSV", detail: "a row for each station and day", onAction: saveRows };
  return <SaveMenu label="Save the table" figure={saveAsFigure} others={[csv]} />;
}

const PERCENT_WIDTH = 50;
const MIN_NAME_WIDTH = 80;
const MAX_NAME_WIDTH = 190;
const ROW_HEIGHT = 18;
const HEAD_HEIGHT = 24;

/** Composes the whole table as a figure with title, legend and notes. */
function availabilityFigure(
  availability: SeriesAvailability,
  lines: readonly StationLine[],
  variable: string,
  page: FigurePage,
): Scene<VectorShape> {
  const rows = lines.map((line) =>
    Array.from({ length: availability.bins }, (_, bin) => binStyle(availability, line.index, bin)),
  );
  const lastMs = availability.firstMs + (availability.bins - 1) * availability.binMs;
  return composeSheet(
    {
      title: `Completeness of ${variable}`,
      subtitle: `UTC days ${utcDay(availability.firstMs)} to ${utcDay(lastMs)}`,
      legend: [
        ...LEVELS.map(({ label, colour, opacity }): LegendEntry => ({
          name: label,
          swatch: (x, y) => [
            { kind: "rect", x, y: y - 6, width: 20, height: 12, colour: page.theme.colour(colour), opacity },
          ],
        })),
        ...gapEntries(new Set(rows.flatMap((styles) => styles.flatMap(causesOf))), page.theme),
      ],
      parts: [
        {
          height: () => HEAD_HEIGHT + lines.length * ROW_HEIGHT,
          draw: (width, height, theme) => {
            const left = Math.min(MAX_NAME_WIDTH, Math.max(MIN_NAME_WIDTH, width * 0.2)) + PERCENT_WIDTH;
            const quiet = theme.colour("--text-2");
            const row = (height - HEAD_HEIGHT) / Math.max(1, lines.length);
            const labels = lines.flatMap(({ name, complete }, i): VectorShape[] => {
              const y = HEAD_HEIGHT + (i + 0.5) * row + 4;
              return [
                text([0, y], truncated(name, left - PERCENT_WIDTH - 8), theme.colour("--text")),
                text([left - 8, y], percent(complete), quiet, { anchor: "end" }),
              ];
            });
            const days = rows.flatMap((styles, i) => {
              const y = HEAD_HEIGHT + i * row + 1;
              return rowShapes(styles, { x: left, y, width: width - left, height: Math.max(1, row - 2) }, theme);
            });
            return [...dates(availability, left, width - left, quiet), ...labels, ...days];
          },
        },
      ],
      notes: [
        `Completeness is the share of the requested epochs with a value, at ${utcMinutes(availability.nowMs)} UTC.`,
      ],
    },
    page,
  );
}

function dates(availability: SeriesAvailability, left: number, width: number, colour: string): VectorShape[] {
  const range = { startMs: availability.firstMs, endMs: availability.firstMs + availability.bins * availability.binMs };
  return timeTicks(range, width, 72).flatMap(({ timeMs, label }) => {
    const x = left + edgePx((timeMs - range.startMs) / availability.binMs, availability.bins, width);
    return timeMs >= range.endMs || x + textWidth(label) > left + width
      ? []
      : [text([x, HEAD_HEIGHT - 8], label, colour)];
  });
}

function causesOf(style: BinStyle): GapCause[] {
  return [
    ...(typeof style.fill === "string" ? [style.fill] : []),
    ...(style.fill !== null && style.requestedShare < 1 ? [style.restCause] : []),
  ];
}

function truncated(name: string, width: number): string {
  let shown = name;
  while (shown.length > 1 && textWidth(shown) > width) shown = shown.slice(0, -1);
  return shown === name ? name : `${shown}…`;
}
