import { useMemo } from "react";
import type { PairsAnswer, PairStatistics, Scatter } from "#shared/bridge/methods/compare.ts";
import { type ScalarVariable, shortName, variableInfo } from "#shared/service/variables.ts";
import type { CsvColumns } from "#shared/file/csv.ts";
import { useSettings } from "../../stores/settings.ts";
import { count, decimal } from "../../ui/text.ts";
import { pairsOf, scatterOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { CHOICES, type Choices, type ComparedStations, referenceOf, selectionOf } from "./useCompared.ts";
import { PartFrame, type PartProps, PLOT_COLUMNS, REST_MS } from "./PartFrame.tsx";
import { Figures } from "./FigureCard.tsx";
import {
  aboveReference,
  FIRST_ROWS,
  joinText,
  lagText,
  marksText,
  signed,
  signedShort,
  sumOfMarks,
  twoDecimals,
} from "./format.ts";
import { drawLines, type Lines, readingsOf } from "./figures/lines.ts";
import { marksPicture, marksTable } from "./figures/marks.ts";
import type { Picture } from "./figures/picture.ts";
import { drawScatter } from "#shared/plot/figure/scatter.ts";
import { itemTable, type SheetTable, windowTable } from "./save.ts";
import { NO_VALUE } from "#shared/text.ts";
import { Button } from "react-aria-components";
import { numberColumn, sortRows, sortSchema, type TableColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { openRowMenu } from "./rowMenu.ts";
import { pane, usePane } from "../../stores/pane.ts";

/** All pairs as a table, the differences from the reference station, and one pair as a scatter plot. */
export function PairsPart({ compared, choices }: PartProps) {
  const { variable, joining } = choices;
  const referenceId = referenceOf(compared, choices);
  const heights = useSettings((s) => s.settings.heightReference);
  const selection = selectionOf(compared, choices, variable);
  const answer = useAskHere(
    pairsOf,
    { ...selection, variable, heights, joining, referenceId, columns: PLOT_COLUMNS },
    { keepFor: [variable, selection.stationIds, referenceId], delayMs: REST_MS },
  );
  const result = shownOf(answer);
  const shown = chosenPair(result?.pairs ?? [], choices.pair);
  const scatter = useAskHere(
    scatterOf,
    shown
      ? { ...selection, stationIds: [shown.aId, shown.bId], aId: shown.aId, bId: shown.bId, variable, joining }
      : null,
    { keepFor: [variable, shown?.aId, shown?.bId], delayMs: 0 },
  );
  const points = shownOf(scatter);
  const view = useMemo(
    () => (result ? { answer: result, scatter: points, shown, referenceId, variable, compared } : null),
    [result, points, shown, referenceId, variable, compared],
  );
  const pictures = useMemo(() => (view ? pairPictures(view) : []), [view]);
  const sheet = {
    name: `compare-pairs-${variable.replace("_", "-")}`,
    title: `${variableInfo(variable).label}: stations in pairs`,
    range: compared.range,
    stations: compared.stations,
    pictures,
    tables: view ? pairTables(view) : [],
  };
  const counted = result?.stations ?? [];
  return (
    <PartFrame
      answer={answer}
      otherFault={scatter.fault}
      counted={counted}
      sheet={sheet}
      note={result ? noteOf(result, variable) : ""}
    >
      {result && result.pairs.every((pair) => pair.n === 0) ? (
        <p className="text-quiet">
          These stations have no common epochs in this range. Choose a longer range or interval means, or fetch the
          missing data.
        </p>
      ) : null}
      <PairTable
        pairs={result?.pairs ?? []}
        shown={shown}
        lagHours={result?.lagHours ?? 0}
        nameOf={compared.nameOf}
        onShow={(pair) => CHOICES.change({ pair: [pair.aId, pair.bId] })}
      />
      <Figures sheet={sheet} />
    </PartFrame>
  );
}

function chosenPair(pairs: readonly PairStatistics[], chosen: Choices["pair"]): PairStatistics | null {
  const isChosen = (p: PairStatistics): boolean => chosen !== null && chosen.includes(p.aId) && chosen.includes(p.bId);
  return pairs.find(isChosen) ?? pairs[0] ?? null;
}

function noteOf({ pairs, stations, lagHours, heightReference }: PairsAnswer, variable: string): string {
  const marked = stations.reduce((sum, s) => sum + s.marked, 0);
  const n = stations.reduce((sum, s) => sum + s.n, 0);
  const kinds = marksText(sumOfMarks(stations.map((s) => s.counts)));
  const ways = [...new Set(pairs.map(joinText))].join("; ");
  const grids = [...new Set(pairs.flatMap((p) => (p.lag ? [p.lag.gridSeconds / 60] : [])))].join(" or ");
  return [
    `Joined: ${ways}.`,
    grids === "" ? "" : `Lag: largest correlation within ±${lagHours} h on a grid of ${grids} min.`,
    `Heights are ${aboveReference(heightReference)}.`,
    variable === "ztd" ? "A ZTD bias includes the effect of the height difference." : "",
    marked === 0
      ? `None of ${count(n)} values is flagged.`
      : `${count(marked)} of ${count(n)} values are flagged: ${kinds}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

interface PairView {
  readonly answer: PairsAnswer;
  readonly scatter: Scatter | null;
  readonly shown: PairStatistics | null;
  readonly referenceId: string;
  readonly variable: ScalarVariable;
  readonly compared: ComparedStations;
}

/** Figures of the differences from the reference station, of one pair as a scatter plot, and of flagged values. */
function pairPictures({ answer, scatter, shown, referenceId, variable, compared }: PairView): Picture[] {
  const { mode, nameOf, range, stations } = compared;
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
    meanSeconds: new Map(
      withReference.map((p) => [p.aId, p.joining === "means" ? p.joinSeconds : (mode.intervalSeconds ?? 0)]),
    ),
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

function pairTables({ answer, compared, variable }: PairView): SheetTable[] {
  const { nameOf } = compared;
  const columns: CsvColumns<PairStatistics> = {
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
    [`height_difference_m_${answer.heightReference.toLowerCase()}`]: (p) => p.heightDifference,
    joining: (p) => p.joining,
    join_s: (p) => p.joinSeconds,
  };
  return [
    itemTable({ id: "pairs", label: "Table of pairs" }, columns, answer.pairs),
    windowTable({ id: "differences", label: "Differences as drawn" }, answer.differences, variable, "mm"),
    ...marksTable(answer.stations, compared.range),
  ];
}

type Pair = PairStatistics;
type Heads = readonly [title: string, unit?: string];

/** A column of numbers, which starts with the largest. The unit is on a second line, so that all columns fit in 1024 px. */
function pairColumn(id: string, heads: Heads, key: (pair: Pair) => number | null, write: (value: number) => string) {
  const text = (pair: Pair): string => {
    const value = key(pair);
    return value === null ? NO_VALUE : write(value);
  };
  return { ...numberColumn(id, heads, text), key, startsDescending: true };
}

export function pairColumns(nameOf: (id: string) => string, lagHours: number): readonly TableColumn<Pair>[] {
  const nameOfPair = (pair: Pair): string => `${nameOf(pair.aId)} − ${nameOf(pair.bId)}`;
  const correlation = pairColumn(
    "correlation",
    ["Corr."],
    (p) => p.correlation,
    (r) => decimal(r, 3),
  );
  const lag = pairColumn("lag", ["Lag of B", "min (r)"], (p) => p.lag?.seconds ?? null, String);
  return [
    { id: "pair", title: "A − B", isHeading: true, isSticky: true, key: nameOfPair, text: nameOfPair },
    pairColumn("n", ["n"], (p) => p.n, count),
    pairColumn("rejected", ["Rejected"], (p) => p.rejected, count),
    pairColumn("bias", ["Bias", "mm"], (p) => p.biasMm, signed),
    pairColumn("std", ["Std", "mm"], (p) => p.stdMm, twoDecimals),
    pairColumn("rms", ["RMS", "mm"], (p) => p.rmsMm, twoDecimals),
    { ...correlation, meaning: "Correlation" },
    { ...lag, text: (p) => lagText(p, lagHours) },
    pairColumn("height", ["Height", "m"], (p) => p.heightDifference, signedShort),
  ];
}

const SORT = pane("compare.sorting", sortSchema(pairColumns(String, 0), { column: "rms", isDescending: true }));

interface PairTableProps {
  readonly pairs: readonly Pair[];
  readonly shown: Pair | null;
  readonly lagHours: number;
  readonly nameOf: (id: string) => string;
  readonly onShow: (pair: Pair) => void;
}

/** All pairs of stations. Clicking a heading sorts, clicking a pair shows it in the scatter plot. */
function PairTable({ pairs, shown, lagHours, nameOf, onShow }: PairTableProps) {
  const columns = useMemo(() => pairColumns(nameOf, lagHours), [nameOf, lagHours]);
  const [sort, setSort] = usePane(SORT);
  const rows = useMemo(() => sortRows(pairs, columns, sort), [pairs, columns, sort]);
  const [first, ...others] = columns;
  const nameColumn: TableColumn<Pair> = {
    ...first!,
    renderCell: (pair) => (
      <Button
        className="flex max-w-full h-6 items-center p-0 border-0 bg-transparent text-inherit cursor-default data-hovered:underline"
        aria-pressed={pair === shown}
        onPress={() => onShow(pair)}
      >
        <MiddleCut text={first!.text(pair) ?? ""} />
      </Button>
    ),
  };
  return (
    <Table
      label="Table of pairs"
      columns={[nameColumn, ...others]}
      rows={rows}
      keyOf={({ aId, bId }) => `${aId} ${bId}`}
      sort={sort}
      onSort={setSort}
      isChosen={(pair) => pair === shown}
      firstRows={FIRST_ROWS}
      onMenu={(pair, at) =>
        openRowMenu(
          {
            cells: columns.map(({ text }) => text(pair) ?? ""),
            stationIds: [pair.aId, pair.bId],
            first: [{ id: "scatter", label: "Show as scatter plot", onAction: () => onShow(pair) }],
          },
          at,
        )
      }
    />
  );
}
