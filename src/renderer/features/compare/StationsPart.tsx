import { NO_VALUE } from "#shared/text.ts";
import { useMemo } from "react";
import { MARKS, type StationShape, type StationShapes } from "#shared/bridge/methods/compare.ts";
import { shortName, variableInfo, type ScalarVariable } from "#shared/service/variables.ts";
import { useSettings } from "../../stores/settings.ts";
import { numberColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { count, capitalized } from "../../ui/text.ts";
import { stationFiguresOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { Figures } from "./FigureCard.tsx";
import { drawDay, drawHeights, drawSigma, MAX_STATIONS_PER_HOUR } from "./figures/boxes.ts";
import { marksPicture, marksTable } from "./figures/marks.ts";
import type { Picture } from "./figures/picture.ts";
import { stationColumn } from "./stationColumn.tsx";
import { PartFrame, type PartProps, REST_MS } from "./PartFrame.tsx";
import { itemTable, type SheetTable } from "./save.ts";
import type { CsvColumns } from "#shared/file/csv.ts";
import { type ComparedStations, selectionOf } from "./useCompared.ts";
import { aboveReference, MARK_WORDS, twoDecimals, short } from "./format.ts";

/** Statistics of each station: daily cycle, spread by height, formal uncertainty and flags. */
export function StationsPart({ compared, choices }: PartProps) {
  const { variable } = choices;
  const heights = useSettings((s) => s.settings.heightReference);
  const selection = selectionOf(compared, choices, variable);
  const answer = useAskHere(
    stationFiguresOf,
    { ...selection, variable, heights },
    { keepFor: [variable, selection.stationIds], delayMs: REST_MS },
  );
  const result = shownOf(answer);
  const pictures = useMemo(() => (result ? picturesOf(result, compared, variable) : []), [result, compared, variable]);
  const sheet = {
    name: `compare-stations-${variable.replace("_", "-")}`,
    title: `${variableInfo(variable).label}: day, height and uncertainty`,
    range: compared.range,
    stations: compared.stations,
    pictures,
    tables: result ? tablesOf(result, compared, variable) : [],
  };
  const rows = result?.stations ?? [];
  return (
    <PartFrame
      answer={answer}
      counted={rows}
      sheet={sheet}
      note={`Boxes span the middle half of the values, whiskers the 5th to 95th percentiles; the line is the median. Formal uncertainty is not accuracy.${result ? ` Heights are ${aboveReference(result.heightReference)}.` : ""}`}
    >
      <StationTable rows={rows} compared={compared} />
      <Figures sheet={sheet} />
    </PartFrame>
  );
}

/** Returns the start of the last bin, which also contains all larger values, mm. */
function lastSigmaMm({ stations, sigmaBinMm }: StationShapes): number {
  return Math.max(0, ...stations.map((s) => s.sigma.length - 1)) * sigmaBinMm;
}

function picturesOf(result: StationShapes, compared: ComparedStations, variable: ScalarVariable): Picture[] {
  const name = shortName(variable);
  const label = `${name} minus own mean, mm`;
  const { stations } = compared;
  const many = result.stations.filter((s) => s.n > 0).length;
  const marks = marksPicture(result.stations, stations, compared.range);
  const lacking = result.stations.filter((s) => s.height === null).length;
  return [
    {
      id: "day",
      title: "Daily cycle",
      isWide: true,
      note:
        many > MAX_STATIONS_PER_HOUR
          ? `${name} minus each station’s mean; the first ${MAX_STATIONS_PER_HOUR} of ${many} stations`
          : `${name} minus each station’s mean`,
      summary: `Percentiles by UTC hour of ${many} stations`,
      draw: drawDay(result.stations, stations, label),
    },
    {
      id: "heights",
      title: "Spread by height",
      note: `Only anomalies are comparable across heights${lacking > 0 ? `; ${lacking} without height left out` : ""}`,
      summary: result.stations
        .filter((s) => s.height !== null)
        .map(
          (s) =>
            `${compared.nameOf(s.stationId)} at ${short(s.height ?? 0)} m: ${short(s.anomaly.p5)} to ${short(s.anomaly.p95)} mm`,
        )
        .join("; "),
      draw: drawHeights(result.stations, stations, {
        label,
        reference: `Height ${aboveReference(result.heightReference)}, m`,
      }),
    },
    {
      id: "sigma",
      title: "Formal uncertainty of ZTD",
      note: `Bins of ${result.sigmaBinMm} mm; all above ${lastSigmaMm(result)} mm in one`,
      summary: "Share of values by size of their formal uncertainty",
      draw: drawSigma(result, stations),
    },
    ...(marks ? [marks] : []),
  ];
}

interface StationTableProps {
  readonly rows: readonly StationShape[];
  readonly compared: ComparedStations;
}

const NUMBERS = [
  numberColumn<StationShape>("n", ["n"], (s) => count(s.n - s.rejected)),
  numberColumn<StationShape>("rejected", ["Rejected"], (s) => count(s.rejected)),
  numberColumn<StationShape>("mean", ["Mean", "mm"], (s) => twoDecimals(s.mean)),
  numberColumn<StationShape>("height", ["Height", "m"], (s) => (s.height === null ? NO_VALUE : short(s.height))),
  numberColumn<StationShape>("flagged", ["Flagged"], (s) => count(s.marked)),
  ...MARKS.map((mark) =>
    numberColumn<StationShape>(mark, [capitalized(MARK_WORDS[mark])], (s) => count(s.counts[mark])),
  ),
];

function StationTable({ rows, compared }: StationTableProps) {
  return (
    <Table
      label="Table of stations"
      columns={[stationColumn(compared), ...NUMBERS]}
      rows={rows}
      keyOf={({ stationId }) => stationId}
    />
  );
}

const PERCENTILES = ["p5", "p25", "p50", "p75", "p95"] as const;

function tablesOf(result: StationShapes, { nameOf, range }: ComparedStations, variable: ScalarVariable): SheetTable[] {
  const columns: CsvColumns<StationShape> = {
    station_id: (s) => s.stationId,
    name: (s) => nameOf(s.stationId),
    variable: () => variable,
    n: (s) => s.n - s.rejected,
    rejected: (s) => s.rejected,
    mean_mm: (s) => s.mean,
    [`height_m_${result.heightReference.toLowerCase()}`]: (s) => s.height,
    marked: (s) => s.marked,
    ...Object.fromEntries(MARKS.map((mark) => [`marked_${mark}`, (s: StationShape) => s.counts[mark]])),
    ...Object.fromEntries(PERCENTILES.map((p) => [`anomaly_${p}_mm`, (s: StationShape) => s.anomaly[p]])),
  };
  return [
    itemTable({ id: "stations", label: "Table of stations" }, columns, result.stations),
    {
      id: "day",
      label: "Daily cycle",
      head: ["station_id", "utc_hour", "n", ...PERCENTILES.map((p) => `${p}_mm`)],
      rows: () =>
        result.stations.flatMap((s) =>
          s.hours.map((h, hour) => [s.stationId, hour, h.n, ...PERCENTILES.map((p) => h[p])]),
        ),
    },
    {
      id: "sigma",
      label: "Histogram of uncertainty",
      head: ["station_id", "sigma_from_mm", "n"],
      rows: () =>
        result.stations.flatMap((s) => Array.from(s.sigma, (n, bin) => [s.stationId, bin * result.sigmaBinMm, n])),
    },
    ...marksTable(result.stations, range),
  ];
}
