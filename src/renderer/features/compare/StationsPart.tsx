import { useMemo } from "react";
import { MARKS, type StationShape, type StationShapes } from "#shared/bridge/methods/compare.ts";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import { bridge } from "../../bridge/index.ts";
import { count } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import type { Compared } from "./choices.ts";
import classes from "./compare.module.css";
import { FigureCard } from "./FigureCard.tsx";
import { drawDay, drawHeights, MOST_IN_HOUR } from "./figures/boxes.ts";
import { marksPicture, marksTable } from "./figures/marks.ts";
import type { Picture } from "./figures/picture.ts";
import { drawSigma } from "./figures/sigma.ts";
import type { PartProps } from "./PairsPart.tsx";
import { PartFrame } from "./PartFrame.tsx";
import type { SheetTable } from "./save.ts";
import { type ComparedStations, selectionOf } from "./useCompared.ts";
import { MARK_WORDS, plain, short } from "./words.ts";

const REST_MS = 200;
const REFERENCES = { EGM2008: "Height above the geoid (EGM2008), m", WGS84_ELLIPSOID: "Height above the ellipsoid, m" };

/** Each station by itself: its day, its spread at its height, its uncertainty, and its marks. */
export function StationsPart({ connectionId, compared, choices }: PartProps) {
  const { variable } = choices;
  const selection = selectionOf(connectionId, compared, choices, variable);
  const input = { ...selection, variable };
  const answer = useSeriesQuery({
    key: JSON.stringify(input),
    retainFor: JSON.stringify([connectionId, variable, selection.stationIds]),
    delayMs: REST_MS,
    connectionId,
    stationIds: selection.stationIds,
    load: (signal) => bridge.compare.stations(input, { signal }),
  });
  const found = answer.value;
  const pictures = useMemo(() => (found ? picturesOf(found, compared, variable) : []), [found, compared, variable]);
  const sheet = {
    name: `compare-stations-${variable.replace("_", "-")}`,
    title: `${variableInfo(variable).label}: day, height and uncertainty`,
    range: compared.range,
    stations: compared.stations,
    pictures,
    tables: found ? tablesOf(found, compared, variable) : [],
  };
  const rows = found?.stations ?? [];
  return (
    <PartFrame
      answer={answer}
      isEmpty={rows.every((row) => row.n === 0)}
      lackingIds={rows.filter((row) => row.n === 0).map((row) => row.stationId)}
      stations={compared.stations}
      sheet={sheet}
      note="Boxes hold the middle half of the values, whiskers reach from the 5th to the 95th percentile, the line is the median. Formal uncertainty is not accuracy."
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

/** Where the last bin begins, which holds all that is above. */
function lastSigmaMm({ stations, sigmaBinMm }: StationShapes): number {
  return Math.max(0, ...stations.map((s) => s.sigma.length - 1)) * sigmaBinMm;
}

function capital(words: string): string {
  return words.replace(/^\p{Ll}(?=\p{Ll})/u, (letter) => letter.toUpperCase());
}

function picturesOf(found: StationShapes, compared: ComparedStations, variable: Compared): Picture[] {
  const name = shortName(variable);
  const label = `${name} minus own mean, mm`;
  const { stations } = compared;
  const many = found.stations.filter((s) => s.n > 0).length;
  const marks = marksPicture(found.stations, stations, compared.range);
  const lacking = found.stations.filter((s) => s.height === null).length;
  return [
    {
      id: "day",
      title: "Daily cycle",
      note:
        many > MOST_IN_HOUR
          ? `${name} minus each station’s mean; the first ${MOST_IN_HOUR} of ${many} stations`
          : `${name} minus each station’s mean`,
      summary: `Percentiles by UTC hour of ${many} stations`,
      draw: drawDay(found.stations, stations, label),
    },
    {
      id: "heights",
      title: "Spread by height",
      note: `Only anomalies are comparable across heights${lacking > 0 ? `; ${lacking} without height left out` : ""}`,
      summary: found.stations
        .filter((s) => s.height !== null)
        .map(
          (s) =>
            `${compared.nameOf(s.stationId)} at ${short(s.height ?? 0)} m: ${short(s.anomaly.p5)} to ${short(s.anomaly.p95)} mm`,
        )
        .join("; "),
      draw: drawHeights(found.stations, stations, { label, reference: REFERENCES[found.heightReference] }),
    },
    {
      id: "sigma",
      title: "Formal uncertainty of ZTD",
      note: `Bins of ${found.sigmaBinMm} mm; all above ${lastSigmaMm(found)} mm in one`,
      summary: "Share of values by size of their formal uncertainty",
      draw: drawSigma(found, stations),
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
                // Columns never change places.
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

function tablesOf(found: StationShapes, { nameOf, range }: ComparedStations, variable: Compared): SheetTable[] {
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
        `height_m_${found.heightReference.toLowerCase()}`,
        "marked",
        ...MARKS.map((mark) => `marked_${mark}`),
        ...percentiles.map((p) => `anomaly_${p}`),
      ],
      rows: () =>
        found.stations.map(({ anomaly: a, ...s }) => [
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
        found.stations.flatMap((s) =>
          s.hours.map((h, hour) => [s.stationId, hour, h.n, h.p5, h.p25, h.p50, h.p75, h.p95]),
        ),
    },
    {
      id: "sigma",
      label: "Histogram of uncertainty",
      head: ["station_id", "sigma_from_mm", "n"],
      rows: () =>
        found.stations.flatMap((s) => Array.from(s.sigma, (n, bin) => [s.stationId, bin * found.sigmaBinMm, n])),
    },
    ...marksTable(found.stations, range),
  ];
}
