import { NO_VALUE } from "#shared/text.ts";
import { SATELLITE_VARIABLES, variableInfo } from "#shared/service/variables.ts";
import { FaultNote } from "../../../ui/notes.tsx";
import { numberColumn, type TableColumn } from "../../../ui/grid/columns.ts";
import { Table } from "../../../ui/grid/Table.tsx";
import { exponential, many } from "../../../ui/text.ts";
import { pageOf } from "../../../ask/questions.ts";
import { useAskHere } from "../../../ask/useAsk.ts";
import type { SkyQuery } from "../data/loader.ts";
import { shownMoment, useMoment } from "../data/moment.ts";
import classes from "../satellites.module.css";
import { entriesAt, epochAt, satelliteAt } from "../data/sky.ts";
import type { Shown } from "../choices.ts";
import { momentWords } from "../labels.ts";
import { PassTable, satelliteColumns } from "./PassTable.tsx";

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
