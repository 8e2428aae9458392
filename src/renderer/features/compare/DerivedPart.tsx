import { useMemo } from "react";
import { bridge } from "../../bridge/index.ts";
import { NumberField } from "../../ui/NumberField.tsx";
import { useSeriesQuery } from "../series/useSeriesQuery.ts";
import type { Air } from "./choices.ts";
import classes from "./compare.module.css";
import { derivedFootnotes, derivedPictures } from "./derivedPictures.ts";
import { derivedSeriesTable, derivedTable } from "./derivedSheet.ts";
import { DerivedTable } from "./DerivedTable.tsx";
import { FigureCard } from "./FigureCard.tsx";
import { PartFrame, PLOT_COLUMNS, type PartProps, REST_MS } from "./PartFrame.tsx";
import { selectionOf } from "./useCompared.ts";

const NOTE =
  "Derived here, not sent by the service, with one pressure and temperature for the whole range. If a field is empty, the standard atmosphere at the station’s height above the geoid is used instead of a measurement. The table shows means over the range. ± is one standard deviation; that of ZTD is formal, not an accuracy.";

/** Hydrostatic and wet delay and water vapour, computed here and labelled so that nobody takes them for service data. */
export function DerivedPart({ connectionId, compared, choices, onChange }: PartProps) {
  const { atmospheres, sigmaPressureHpa, sigmaStandardPressureHpa, sigmaMeanTemperatureK } = choices;
  const sigmas = { sigmaPressureHpa, sigmaStandardPressureHpa, sigmaMeanTemperatureK };
  const selection = selectionOf(connectionId, compared, choices, "ztd");
  const ids = selection.stationIds;
  const given = Object.fromEntries(Object.entries(atmospheres).filter(([id]) => ids.includes(id)));
  const input = { ...selection, atmospheres: given, ...sigmas, columns: PLOT_COLUMNS };
  const answer = useSeriesQuery({
    input,
    load: bridge.compare.derived,
    retainFor: [connectionId, ids],
    delayMs: REST_MS,
  });
  const result = answer.value;
  const rows = result?.rows ?? [];
  const pictures = useMemo(() => (result ? derivedPictures(result, compared) : []), [result, compared]);
  const setAir = (id: string, change: Partial<Air>): void => {
    const before = atmospheres[id] ?? { pressureHpa: null, temperatureC: null };
    onChange({ atmospheres: { ...atmospheres, [id]: { ...before, ...change } } });
  };
  const sheet = {
    name: "compare-derived",
    title: "Hydrostatic and wet delay and water vapour, derived here",
    range: compared.range,
    stations: compared.stations,
    pictures,
    footnotes: result ? derivedFootnotes(result, compared) : [],
    tables: result ? [derivedTable(result, compared.nameOf), derivedSeriesTable(result)] : [],
  };
  return (
    <PartFrame
      answer={answer}
      isEmpty={rows.every((row) => row.n === 0)}
      emptyStationIds={rows.filter((row) => row.n === 0).map((row) => row.stationId)}
      stations={compared.stations}
      sheet={sheet}
      note={NOTE}
    >
      <DerivedTable rows={rows} compared={compared} atmospheres={atmospheres} onAir={setAir} />
      <div className={classes["fields"]}>
        <NumberField
          label="σ of a given pressure, hPa"
          value={sigmaPressureHpa}
          min={0}
          max={100}
          onChange={(next) => next !== null && onChange({ sigmaPressureHpa: next })}
        />
        <NumberField
          label="σ of the standard pressure, hPa"
          value={sigmaStandardPressureHpa}
          min={0}
          max={100}
          onChange={(next) => next !== null && onChange({ sigmaStandardPressureHpa: next })}
        />
        <NumberField
          label="σ of Tm, K"
          value={sigmaMeanTemperatureK}
          min={0}
          max={50}
          onChange={(next) => next !== null && onChange({ sigmaMeanTemperatureK: next })}
        />
      </div>
      <div className={classes["figures"]}>
        {pictures.map((picture) => (
          <FigureCard key={picture.id} picture={picture} sheet={sheet} isWide />
        ))}
      </div>
      <section aria-label="Formulas and constants">
        <dl className={classes["formulas"]}>
          {result?.formulas.map(({ name, formula }) => [
            <dt key={`${name} name`}>{name}</dt>,
            <dd key={name}>{formula}</dd>,
          ])}
        </dl>
      </section>
    </PartFrame>
  );
}
