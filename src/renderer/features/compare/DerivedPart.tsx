import { useMemo } from "react";
import type { DerivedRow } from "#shared/bridge/methods/compare.ts";
import { useIsInvalid } from "../../ui/InputScope.tsx";
import { AmountField, NumberField } from "../../ui/NumberField.tsx";
import { numberColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { count } from "../../ui/text.ts";
import { derivedOf } from "../../ask/questions.ts";
import { shownOf, useAskHere } from "../../ask/useAsk.ts";
import { CHOICES, type Air, type Choices, type ComparedStations, selectionOf } from "./useCompared.ts";
import { derivedFootnotes, derivedPictures, derivedSeriesTable, derivedTable } from "./derivedSheet.ts";
import { Figures } from "./FigureCard.tsx";
import { short, withSigma } from "./format.ts";
import { PartFrame, type PartProps, PLOT_COLUMNS, REST_MS } from "./PartFrame.tsx";
import { stationColumn } from "./stationColumn.tsx";
import classes from "./compare.module.css";
import { fieldsOf } from "../../ui/fieldsOf.ts";

const NUMBERS = [
  numberColumn<DerivedRow>("tm", ["Tm", "K"], (r) => withSigma(r.meanTemperatureK)),
  numberColumn<DerivedRow>("ztd", ["ZTD", "mm"], (r) => withSigma(r.ztdMm)),
  numberColumn<DerivedRow>("zhd", ["ZHD", "mm"], (r) => withSigma(r.zhdMm)),
  numberColumn<DerivedRow>("zwd", ["ZWD", "mm"], (r) => withSigma(r.zwdMm)),
  numberColumn<DerivedRow>("iwvFromDelay", ["IWV of ZWD", "kg\u00a0m⁻²"], (r) => withSigma(r.iwvFromDelay)),
  numberColumn<DerivedRow>("iwvFromPwv", ["IWV of PWV", "kg\u00a0m⁻²"], (r) => short(r.iwvFromPwv)),
  numberColumn<DerivedRow>("n", ["n"], ({ n, rejected }) =>
    rejected > 0 ? `${count(n)} (${count(rejected)} rejected)` : count(n),
  ),
];
/** While an entered number is invalid. The values before keep their places, so that nothing moves. */
const UNKNOWN = NUMBERS.map((column) => ({
  ...column,
  renderCell: (row: DerivedRow) => <span className="invisible">{column.text(row)}</span>,
  hint: () => null,
}));

const UNCERTAINTIES = [
  { key: "sigmaPressureHpa", label: "σ of a given pressure, hPa", max: 100 },
  { key: "sigmaStandardPressureHpa", label: "σ of the standard pressure, hPa", max: 100 },
  { key: "sigmaMeanTemperatureK", label: "σ of Tm, K", max: 50 },
] as const;

interface DerivedTableProps {
  readonly rows: readonly DerivedRow[];
  readonly compared: ComparedStations;
  readonly atmospheres: Choices["atmospheres"];
  readonly onAir: (id: string, change: Partial<Air>) => void;
}

/** Means over the range, and the pressure and temperature of each station, which can be entered. */
function DerivedTable({ rows, compared, atmospheres, onAir }: DerivedTableProps) {
  const columns = [
    stationColumn<DerivedRow>(compared),
    numberColumn<DerivedRow>("height", ["Height", "m"], (r) =>
      r.orthometricHeight === null ? "unknown" : short(r.orthometricHeight),
    ),
    {
      ...numberColumn<DerivedRow>("pressure", ["Pressure", "hPa"], () => null),
      renderCell: ({ stationId, isPressureGiven, pressureHpa: pressure }: DerivedRow) => (
        <span className={classes["input"]}>
          <NumberField
            label={`Pressure at ${compared.nameOf(stationId)}, hPa`}
            isLabelHidden
            value={atmospheres[stationId]?.pressureHpa ?? null}
            min={300}
            max={1_100}
            placeholder={isPressureGiven ? "" : `std ${short(pressure.value)}`}
            onChange={(pressureHpa) => onAir(stationId, { pressureHpa })}
          />
        </span>
      ),
    },
    {
      ...numberColumn<DerivedRow>("temperature", ["Surface", "°C"], () => null),
      renderCell: ({ stationId }: DerivedRow) => (
        <span className={classes["input"]}>
          <NumberField
            label={`Surface temperature at ${compared.nameOf(stationId)}, °C`}
            isLabelHidden
            value={atmospheres[stationId]?.temperatureC ?? null}
            min={-90}
            max={60}
            placeholder="std"
            onChange={(temperatureC) => onAir(stationId, { temperatureC })}
          />
        </span>
      ),
    },
    ...(useIsInvalid() ? UNKNOWN : NUMBERS),
  ];
  return <Table label="Derived quantities" columns={columns} rows={rows} keyOf={({ stationId }) => stationId} />;
}

const NOTE =
  "Derived here, not sent by the service, with one pressure and temperature for the whole range. If a field is empty, the standard atmosphere at the station’s height above the geoid is used instead of a measurement. The table shows means over the range, and heights above the geoid. ± is one standard deviation; that of ZTD is formal, not an accuracy.";

/** Hydrostatic and wet delay and water vapour, computed here and labelled so that nobody takes them for service data. */
export function DerivedPart({ compared, choices }: PartProps) {
  const field = fieldsOf(choices, CHOICES.change);
  const { atmospheres, sigmaPressureHpa, sigmaStandardPressureHpa, sigmaMeanTemperatureK } = choices;
  const sigmas = { sigmaPressureHpa, sigmaStandardPressureHpa, sigmaMeanTemperatureK };
  const selection = selectionOf(compared, choices, "ztd");
  const ids = selection.stationIds;
  const given = Object.fromEntries(Object.entries(atmospheres).filter(([id]) => ids.includes(id)));
  const input = { ...selection, atmospheres: given, ...sigmas, columns: PLOT_COLUMNS };
  const answer = useAskHere(derivedOf, input, { keepFor: [ids], delayMs: REST_MS });
  const result = shownOf(answer);
  const rows = result?.rows ?? [];
  const pictures = useMemo(() => (result ? derivedPictures(result, compared) : []), [result, compared]);
  const setAir = (id: string, change: Partial<Air>): void => {
    const before = atmospheres[id] ?? { pressureHpa: null, temperatureC: null };
    CHOICES.change({ atmospheres: { ...atmospheres, [id]: { ...before, ...change } } });
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
      counted={rows}
      sheet={sheet}
      note={NOTE}
      inputs={
        <>
          <DerivedTable rows={rows} compared={compared} atmospheres={atmospheres} onAir={setAir} />
          <div className={`${classes["fields"]} flex flex-wrap gap-3`}>
            {UNCERTAINTIES.map(({ key, label, max }) => (
              <AmountField key={key} label={label} max={max} {...field(key)} />
            ))}
          </div>
        </>
      }
    >
      <Figures sheet={sheet} />
      <section aria-label="Formulas and constants">
        <dl
          className={`${classes["formulas"]} caption grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-1 m-0 leading-4.5`}
        >
          {result?.formulas.map(({ name, formula }) => [
            <dt key={`${name} name`}>{name}</dt>,
            <dd key={name}>{formula}</dd>,
          ])}
        </dl>
      </section>
    </PartFrame>
  );
}
