import { columnAt } from "#shared/series/rows.ts";
import { shortName, type ScalarVariable } from "#shared/service/variables.ts";
import type { PairFigures, PairsAnswer, Scatter } from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { count, decimal } from "../../ui/text.ts";
import type { CsvCell } from "#shared/file/csv.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import { marksPicture, marksTable } from "./figures/marks.ts";
import type { Picture } from "./figures/axes.ts";
import { drawScatter } from "./figures/scatter.ts";
import type { SheetTable } from "./save.ts";
import type { ComparedStations } from "./useCompared.ts";
import { joinText, signed } from "./format.ts";

interface PairView {
  readonly answer: PairsAnswer;
  readonly scatter: Scatter | null;
  readonly shown: PairFigures | null;
  readonly referenceId: string;
  readonly variable: ScalarVariable;
  readonly compared: ComparedStations;
}

/** Figures of the differences from the reference station, of one pair as a scatter plot, and of flagged values. */
export function pairPictures({ answer, scatter, shown, referenceId, variable, compared }: PairView): Picture[] {
  const { nameOf, range, stations } = compared;
  const name = shortName(variable);
  const withReference = answer.pairs.filter((pair) => pair.bId === referenceId);
  const steps = new Map(withReference.map((p) => [p.aId, 2 * p.joinSeconds]));
  const given: Lines = {
    windows: answer.differences,
    variable,
    stations,
    range,
    label: "A − B, mm",
    stepSeconds: steps,
    empty: "No common epochs in the range",
  };
  const lines: Picture = {
    id: "differences",
    title: `${name} minus ${nameOf(referenceId)}`,
    note: `A − B in mm at common epochs${withReference[0] ? ` (${joinText(withReference[0])})` : ""}`,
    summary: withReference
      .map((p) => `${nameOf(p.aId)}: bias ${signed(p.biasMm)} mm of ${count(p.n)} epochs`)
      .join("; "),
    draw: drawLines(given),
    readings: readingsOf(given, { unit: "mm", write: signed }),
  };
  const marks = marksPicture(answer.stations, stations, range);
  const ofMarks = marks ? [marks] : [];
  if (!shown) return [lines, ...ofMarks];
  const [a, b] = [nameOf(shown.aId), nameOf(shown.bId)];
  const points: Picture = {
    id: "scatter",
    title: `${name} of ${a} and ${b}`,
    note: `${count(scatter?.n ?? 0)} common epochs; dashed: A minus the bias`,
    summary: `Correlation ${Number.isNaN(shown.correlation) ? "unknown" : decimal(shown.correlation, 3)}${scatter?.kind === "density" ? "; darker where more epochs lie" : ""}`,
    draw: drawScatter(scatter, { a: `A: ${a}, mm`, b: `B: ${b}, mm`, biasMm: shown.biasMm }),
  };
  return [lines, points, ...ofMarks];
}

export function pairTables({ answer, compared, variable }: PairView): SheetTable[] {
  const { nameOf } = compared;
  return [
    {
      id: "pairs",
      label: "Table of pairs",
      head: [
        "a_id",
        "a_name",
        "b_id",
        "b_name",
        "variable",
        "n",
        "rejected",
        "bias_mm",
        "std_mm",
        "rms_mm",
        "correlation",
        "lag_s",
        "lag_correlation",
        "lag_grid_s",
        "height_difference_m",
        "joining",
        "join_s",
      ],
      rows: () =>
        answer.pairs.map((p): CsvCell[] => [
          p.aId,
          nameOf(p.aId),
          p.bId,
          nameOf(p.bId),
          variable,
          p.n,
          p.rejected,
          p.biasMm,
          p.stdMm,
          p.rmsMm,
          p.correlation,
          p.lag?.seconds ?? null,
          p.lag?.correlation ?? null,
          p.lag?.gridSeconds ?? null,
          p.heightDifference,
          p.joining,
          p.joinSeconds,
        ]),
    },
    {
      id: "differences",
      label: "Differences as drawn",
      head: ["station_id", "time", "n", "mean_mm", "min_mm", "max_mm"],
      rows: () => answer.differences.flatMap((window) => windowRows(window, variable)),
    },
    ...marksTable(answer.stations, compared.range),
  ];
}

/** Rows of a CSV file: the drawn rows of a series, or columns of time with mean and limits, timed at the start of the column. */
export function windowRows(window: SeriesWindow, variable: ScalarVariable): CsvCell[][] {
  const { stationId, range } = window;
  if (window.kind === "rows") {
    const values = window.values[variable];
    if (!values) return [];
    return Array.from(window.timesMs, (timeMs, i): CsvCell[] => {
      const value = values[i] ?? Number.NaN;
      return [stationId, formatUtc(timeMs), Number.isNaN(value) ? 0 : 1, value, value, value];
    });
  }
  const data = window.variables[variable];
  if (!data) return [];
  const columnMs = (range.endMs - range.startMs) / window.columns;
  return Array.from({ length: window.columns }, (_, i): CsvCell[] => {
    const { count, min, max, mean } = columnAt(data, i);
    return [stationId, formatUtc(Math.round(range.startMs + i * columnMs)), count, mean, min, max];
  }).filter((row) => row[2] !== 0);
}
