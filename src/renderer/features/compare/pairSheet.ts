import { shortName, type ScalarVariable } from "#shared/service/variables.ts";
import type { PairFigures, PairsAnswer, Scatter } from "#shared/bridge/methods/compare.ts";
import { count, decimal } from "../../ui/text.ts";
import type { CsvColumns } from "#shared/file/csv.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import { marksPicture, marksTable } from "./figures/marks.ts";
import type { Picture } from "./figures/axes.ts";
import { drawScatter } from "./figures/scatter.ts";
import { itemTable, type SheetTable, windowTable } from "./save.ts";
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
  const columns: CsvColumns<PairFigures> = {
    a_id: (p) => p.aId,
    a_name: (p) => nameOf(p.aId),
    b_id: (p) => p.bId,
    b_name: (p) => nameOf(p.bId),
    variable: () => variable,
    n: (p) => p.n,
    rejected: (p) => p.rejected,
    bias_mm: (p) => p.biasMm,
    std_mm: (p) => p.stdMm,
    rms_mm: (p) => p.rmsMm,
    correlation: (p) => p.correlation,
    lag_s: (p) => p.lag?.seconds ?? null,
    lag_correlation: (p) => p.lag?.correlation ?? null,
    lag_grid_s: (p) => p.lag?.gridSeconds ?? null,
    height_difference_m: (p) => p.heightDifference,
    joining: (p) => p.joining,
    join_s: (p) => p.joinSeconds,
  };
  return [
    itemTable({ id: "pairs", label: "Table of pairs" }, columns, answer.pairs),
    windowTable({ id: "differences", label: "Differences as drawn" }, answer.differences, variable, "mm"),
    ...marksTable(answer.stations, compared.range),
  ];
}
