import type { DerivedRow } from "#shared/bridge/compare.ts";
import { bridge } from "../../bridge/index.ts";
import { NumberField } from "../../ui/NumberField.tsx";
import { count } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import { useAnswer } from "../series/useAnswer.ts";
import type { Air } from "./choices.ts";
import classes from "./compare.module.css";
import { derivedTable } from "./derivedSheet.ts";
import type { PartProps } from "./PairsPart.tsx";
import { PartFrame } from "./PartFrame.tsx";
import { selectionOf } from "./useCompared.ts";
import { short, withSigma } from "./words.ts";

const REST_MS = 200;
const HEADS = [
  "Height m",
  "Pressure hPa",
  "Surface °C",
  "Tm K",
  "ZTD mm",
  "ZHD mm",
  "ZWD mm",
  "IWV of ZWD kg m⁻²",
  "IWV of PWV kg m⁻²",
  "n",
];

/** Hydrostatic and wet delay and water vapour, computed here: never to be taken for what the service sent. */
export function DerivedPart({ connectionId, compared, choices, onChange }: PartProps) {
  const { atmospheres, sigmaPressureHpa, sigmaStandardPressureHpa, sigmaMeanTemperatureK } = choices;
  const sigmas = { sigmaPressureHpa, sigmaStandardPressureHpa, sigmaMeanTemperatureK };
  const selection = selectionOf(connectionId, compared, choices, "ztd");
  const ids = selection.stationIds;
  const given = Object.fromEntries(Object.entries(atmospheres).filter(([id]) => ids.includes(id)));
  const input = { ...selection, atmospheres: given, ...sigmas };
  const answer = useAnswer({
    key: JSON.stringify(input),
    family: JSON.stringify([connectionId, ids]),
    restMs: REST_MS,
    connectionId,
    stationIds: ids,
    ask: (signal) => bridge.compare.derived(input, { signal }),
  });
  const rows = answer.value?.rows ?? [];
  const setAir = (id: string, change: Partial<Air>): void => {
    const before = atmospheres[id] ?? { pressureHpa: null, temperatureC: null };
    onChange({ atmospheres: { ...atmospheres, [id]: { ...before, ...change } } });
  };
  const sheet = {
    name: "compare-derived",
    title: "Derived here",
    range: compared.range,
    stations: compared.stations,
    pictures: [],
    tables: answer.value ? [derivedTable(answer.value, compared.nameOf)] : [],
  };
  return (
    <PartFrame
      answer={answer}
      isEmpty={rows.every((row) => row.n === 0)}
      stations={compared.stations}
      sheet={sheet}
      note="Derived here, not sent by the service: means over the range, with one pressure and temperature for all of it. Where a pressure or temperature is empty the standard atmosphere at the station's height above the geoid stands in: no measured one. ± is one standard deviation; that of ZTD is formal, not its accuracy."
    >
      <div className={classes["tableBox"]} role="region" aria-label="Derived quantities" tabIndex={0}>
        <table className={classes["table"]}>
          <thead>
            <tr>
              <th scope="col">Station</th>
              {HEADS.map((head) => (
                <th key={head} scope="col" className={classes["number"]}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.stationId}>
                <th scope="row">
                  <LineSwatch slot={compared.stations.find((s) => s.id === row.stationId)?.slot ?? 0} />{" "}
                  {compared.nameOf(row.stationId)}
                </th>
                <td className={classes["number"]}>
                  {row.orthometricHeight === null ? "not known" : short(row.orthometricHeight)}
                </td>
                <td className={classes["number"]}>
                  <span className={classes["input"]}>
                    <NumberField
                      label={`Pressure at ${compared.nameOf(row.stationId)}, hPa`}
                      isLabelHidden
                      value={atmospheres[row.stationId]?.pressureHpa ?? null}
                      min={300}
                      max={1_100}
                      placeholder={row.isPressureGiven ? "" : `std ${short(row.pressureHpa.value)}`}
                      onChange={(pressureHpa) => setAir(row.stationId, { pressureHpa })}
                    />
                  </span>
                </td>
                <td className={classes["number"]}>
                  <span className={classes["input"]}>
                    <NumberField
                      label={`Surface temperature at ${compared.nameOf(row.stationId)}, °C`}
                      isLabelHidden
                      value={atmospheres[row.stationId]?.temperatureC ?? null}
                      min={-90}
                      max={60}
                      placeholder="std"
                      onChange={(temperatureC) => setAir(row.stationId, { temperatureC })}
                    />
                  </span>
                </td>
                {cellsOf(row).map((cell, i) => (
                  <td key={HEADS[i + 3]} className={classes["number"]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
      <section aria-label="Formulas and constants">
        <dl className={classes["formulas"]}>
          {answer.value?.formulas.map(({ name, formula }) => [
            <dt key={`${name} name`}>{name}</dt>,
            <dd key={name}>{formula}</dd>,
          ])}
        </dl>
      </section>
    </PartFrame>
  );
}

function cellsOf(row: DerivedRow): string[] {
  return [
    withSigma(row.meanTemperatureK),
    withSigma(row.ztdMm),
    withSigma(row.zhdMm),
    withSigma(row.zwdMm),
    withSigma(row.iwvFromDelay),
    short(row.iwvFromPwv),
    row.rejected > 0 ? `${count(row.n)} (${count(row.rejected)} rejected)` : count(row.n),
  ];
}
