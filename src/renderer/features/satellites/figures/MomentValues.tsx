import { NO_VALUE } from "#shared/text.ts";
import { SATELLITE_VARIABLES, variableInfo } from "#shared/service/variables.ts";
import { FaultNote } from "../../../ui/notes.tsx";
import { numberColumn, type TableColumn } from "../../../ui/grid/columns.ts";
import { Table } from "../../../ui/grid/Table.tsx";
import { exponential, many, utcMinutes } from "../../../ui/text.ts";
import { pageOf } from "../../../ask/questions.ts";
import { useAskHere } from "../../../ask/useAsk.ts";
import type { SkyQuery } from "../data/loader.ts";
import { shownMoment, useMoment } from "../data/moment.ts";
import classes from "../satellites.module.css";
import { entriesAt, epochAt, satelliteAt } from "../data/sky.ts";
import type { Shown } from "../choices.ts";
import { momentWords } from "../labels.ts";
import { useMemo } from "react";
import { percent } from "#shared/series/statistics.ts";
import { constellationAt } from "../constellations.ts";
import { completenessOf, type Pass, passAt, passesOf, type SatellitePasses } from "../data/passes.ts";

/** A table of the satellites at the moment, and the texts received from the service. */
export function MomentValues({ shown, query }: { readonly shown: Shown; readonly query: SkyQuery }) {
  const { sky, filter, range } = shown;
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  const epoch = epochAt(sky, momentMs);
  const epochMs = sky.timesMs[epoch];
  const entries = entriesAt(sky, filter, epoch);
  const satellites = entries
    .map((entry) => ({ entry, ...satelliteAt(sky, entry) }))
    .toSorted((a, b) => (a.prn < b.prn ? -1 : 1));
  const elevation = decimalColumn(sky.elevationDeg, entries);
  const azimuth = decimalColumn(sky.azimuthDeg, entries);
  const columns: readonly TableColumn<(typeof satellites)[number]>[] = [
    ...satelliteColumns<(typeof satellites)[number]>(({ constellation }) => constellation.name),
    numberColumn("elevation", ["Elevation, °"], ({ entry }) => elevation(entry)),
    numberColumn("azimuth", ["Azimuth, °"], ({ entry }) => azimuth(entry)),
    ...sky.bands.map(({ name, cn0DbHz }): TableColumn<(typeof satellites)[number]> => {
      const text = decimalColumn(cn0DbHz, entries);
      return numberColumn(name, [`C/N0 band ${name}, dB-Hz`], ({ entry }) => text(entry));
    }),
  ];
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    <div
      className={`${classes["values"]} scroll flex-1 min-h-[200px] px-3 py-2 -outline-offset-2 select-text`}
      role="region"
      aria-label="Values at the moment"
      tabIndex={0}
    >
      <h3>
        {epochMs === undefined
          ? "No observation at this moment"
          : `${many(entries.length, "satellite")} at ${momentWords(epochMs)}`}
      </h3>
      {entries.length > 0 ? (
        <Table label="Satellites" columns={columns} rows={satellites} keyOf={({ entry }) => String(entry)} />
      ) : null}
      <PassTable shown={shown} momentMs={momentMs} />
      {epochMs === undefined ? null : <AsReceived query={query} timeMs={epochMs} />}
    </div>
  );
}

function AsReceived({ query, timeMs }: { readonly query: SkyQuery; readonly timeMs: number }) {
  const { stationId, mode } = query;
  const page = useAskHere(pageOf, {
    stationId,
    variables: SATELLITE_VARIABLES,
    range: { startMs: timeMs, endMs: timeMs + 1 },
    mode: { ...mode, resampled: false },
    offset: 0,
    limit: 1,
  });
  if (page.fault) return <FaultNote fault={page.fault} />;
  return (
    <>
      <h3>As received</h3>
      <dl>
        {SATELLITE_VARIABLES.map((variable) => (
          <div key={variable}>
            <dt>{`${variable} · ${variableInfo(variable).label}`}</dt>
            <dd>{page.value?.columns[variable]?.[0] ?? (page.isLoading ? "…" : "no value")}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Formats the values of a column exactly, with the same number of decimals. */
function decimalColumn(values: Float64Array, entries: readonly number[]): (entry: number) => string {
  const decimals = Math.max(0, ...entries.map((entry) => /\.(\d+)$/.exec(String(values[entry]))?.[1]?.length ?? 0));
  return (entry) => {
    const value = values[entry] ?? Number.NaN;
    const text = String(value);
    if (text === "NaN") return NO_VALUE;
    return text.includes("e") || Math.abs(value) >= 1e12 ? exponential(value, 15) : value.toFixed(decimals);
  };
}

/** The first columns of a table of satellites. @param nameOf the name of the constellation */
function satelliteColumns<Row extends { readonly prn: string }>(
  nameOf: (row: Row) => string,
): readonly TableColumn<Row>[] {
  return [
    { id: "prn", title: "Satellite", isHeading: true, isSticky: true, text: ({ prn }) => prn },
    { id: "constellation", title: "Constellation", text: nameOf },
  ];
}

/** Rising, setting and completeness of each satellite: the pass at the moment, or the last one before it. */
function PassTable({ shown, momentMs }: { readonly shown: Shown; readonly momentMs: number }) {
  const { sky, filter, choices } = shown;
  const satellites = useMemo(() => passesOf(sky, filter), [sky, filter]);
  if (satellites.length === 0) return null;
  const ofPass = (text: (pass: Pass) => string) => (satellite: SatellitePasses) => {
    const pass = passAt(satellite, momentMs);
    return pass ? text(pass) : "";
  };
  const above = choices.cutOffDeg > 0 ? ` above ${choices.cutOffDeg}°` : "";
  return (
    <>
      <h3>{`Rising and setting${above}`}</h3>
      <Table
        label="Passes"
        rows={satellites}
        keyOf={({ prn }) => prn}
        columns={[
          ...satelliteColumns<SatellitePasses>((s) => constellationAt(s.constellation).name),
          numberColumn(
            "rose",
            ["Rose (UTC)"],
            ofPass(({ riseMs: ms, isCut }) => `${isCut.atRise ? "before " : ""}${utcMinutes(ms)}`),
          ),
          numberColumn(
            "set",
            ["Set (UTC)"],
            ofPass(({ setMs: ms, isCut }) => `${isCut.atSet ? "after " : ""}${utcMinutes(ms)}`),
          ),
          numberColumn<SatellitePasses>("passes", ["Passes"], ({ passes }) => String(passes.length)),
          {
            ...numberColumn<SatellitePasses>("completeness", ["Completeness"], (s) => percent(completenessOf(s))),
            meaning: "Epochs with the satellite, as a share of those of the station from rising to setting",
          },
        ]}
      />
    </>
  );
}
