import { useMemo } from "react";
import { MARKS, type StationShape, type StationShapes } from "#shared/bridge/methods/compare.ts";
import { shortName, variableInfo, type ScalarVariable } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { count } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import classes from "./compare.module.css";
import { FigureCard } from "./FigureCard.tsx";
import { drawDay, drawHeights, drawSigma, MAX_STATIONS_PER_HOUR } from "./figures/boxes.ts";
import { marksPicture, marksTable } from "./figures/marks.ts";
import type { Picture } from "./figures/axes.ts";
import { PartFrame, type PartProps, REST_MS } from "./PartFrame.tsx";
import type { SheetTable } from "./save.ts";
import { type ComparedStations, selectionOf } from "./useCompared.ts";
import { MARK_WORDS, plain, short } from "./format.ts";

const REFERENCES = { EGM2008: "Height above the geoid (EGM2008), m", WGS84_ELLIPSOID: "Height above the ellipsoid, m" };

/** Statistics of each station: daily cycle, spread by height, formal uncertainty and flags. */
export function StationsPart({ connectionId, compared, choices }: PartProps) {
  const { variable } = choices;
  const selection = selectionOf(connectionId, compared, choices, variable);
  const answer = useSeriesQuery({
    input: { ...selection, variable },
    load: bridge.compare.stations,
    retainFor: [connectionId, variable, selection.stationIds],
    delayMs: REST_MS,
  });
  const result = answer.value;
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
      isEmpty={rows.every((row) => row.n === 0)}
      emptyStationIds={rows.filter((row) => row.n === 0).map((row) => row.stationId)}
      stations={compared.stations}
      sheet={sheet}
      note="Boxes span the middle half of the values, whiskers the 5th to 95th percentiles; the line is the median. Formal uncertainty is not accuracy."
    >
      <StationTable rows={rows} compared={compared} />
      <div className={classes["figures"]}>
        {pictures.map((picture, i) => (
          <FigureCard
            key={picture.id}
            picture={picture}
            sheet={sheet}
            isWide={i === 0 || picture.readings !== undefined}
          />
        ))}
      </div>
    </PartFrame>
  );
}

/** Returns the start of the last bin, which also contains all larger values, mm. */
function lastSigmaMm({ stations, sigmaBinMm }: StationShapes): number {
  return Math.max(0, ...stations.map((s) => s.sigma.length - 1)) * sigmaBinMm;
}

function capital(words: string): string {
  return words.replace(/^\p{Ll}(?=\p{Ll})/u, (letter) => letter.toUpperCase());
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
      draw: drawHeights(result.stations, stations, { label, reference: REFERENCES[result.heightReference] }),
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

function StationTable({
  rows,
  compared,
}: {
  readonly rows: readonly StationShape[];
  readonly compared: ComparedStations;
}) {
  const slots = new Map(compared.stations.map((s) => [s.id, s.slot]));
  return (
    <div className={classes["tableBox"]} role="region" aria-label="Table of stations" tabIndex={0}>
      <table className={classes["table"]}>
        <thead>
          <tr>
            <th scope="col">Station</th>
            {["n", "Rejected", "Mean mm", "Height m", "Flagged", ...MARKS.map((m) => capital(MARK_WORDS[m]))].map(
              (head) => (
                <th key={head} scope="col" className={classes["number"]}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.stationId}>
              <th scope="row">
                <LineSwatch slot={slots.get(row.stationId) ?? 0} /> {compared.nameOf(row.stationId)}
              </th>
              {[
                count(row.n - row.rejected),
                count(row.rejected),
                plain(row.mean),
                row.height === null ? "–" : short(row.height),
                count(row.marked),
                ...MARKS.map((mark) => count(row.counts[mark])),
              ].map((cell, i) => (
                // The order of columns is fixed.
                <td key={i} className={classes["number"]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function tablesOf(result: StationShapes, { nameOf, range }: ComparedStations, variable: ScalarVariable): SheetTable[] {
  const percentiles = ["p5_mm", "p25_mm", "p50_mm", "p75_mm", "p95_mm"];
  return [
    {
      id: "stations",
      label: "Table of stations",
      head: [
        "station_id",
        "name",
        "variable",
        "n",
        "rejected",
        "mean_mm",
        `height_m_${result.heightReference.toLowerCase()}`,
        "marked",
        ...MARKS.map((mark) => `marked_${mark}`),
        ...percentiles.map((p) => `anomaly_${p}`),
      ],
      rows: () =>
        result.stations.map(({ anomaly: a, ...s }) => [
          s.stationId,
          nameOf(s.stationId),
          variable,
          s.n - s.rejected,
          s.rejected,
          s.mean,
          s.height,
          s.marked,
          ...MARKS.map((mark) => s.counts[mark]),
          a.p5,
          a.p25,
          a.p50,
          a.p75,
          a.p95,
        ]),
    },
    {
      id: "day",
      label: "Daily cycle",
      head: ["station_id", "utc_hour", "n", ...percentiles],
      rows: () =>
        result.stations.flatMap((s) =>
          s.hours.map((h, hour) => [s.stationId, hour, h.n, h.p5, h.p25, h.p50, h.p75, h.p95]),
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
