import type { DerivedRow } from "#shared/bridge/methods/compare.ts";
import { NumberField } from "../../ui/NumberField.tsx";
import { count } from "../../ui/text.ts";
import { LineSwatch } from "../series/Legend.tsx";
import type { Air, Choices } from "./choices.ts";
import classes from "./compare.module.css";
import type { ComparedStations } from "./useCompared.ts";
import { short, withSigma } from "./format.ts";

const HEADS = [
  "Height m",
  "Pressure hPa",
  "Surface °C",
  "Tm K",
  "ZTD mm",
  "ZHD mm",
  "ZWD mm",
  "IWV of ZWD kg\u00a0m⁻²",
  "IWV of PWV kg\u00a0m⁻²",
  "n",
];

interface DerivedTableProps {
  readonly rows: readonly DerivedRow[];
  readonly compared: ComparedStations;
  readonly atmospheres: Choices["atmospheres"];
  readonly onAir: (id: string, change: Partial<Air>) => void;
}

/** Means over the range, and the pressure and temperature of each station, which can be entered. */
export function DerivedTable({ rows, compared, atmospheres, onAir }: DerivedTableProps) {
  return (
    <div className={classes["tableBox"]} role="region" aria-label="Derived quantities" tabIndex={0}>
      <table className={classes["table"]} data-narrow>
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
                {row.orthometricHeight === null ? "unknown" : short(row.orthometricHeight)}
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
                    onChange={(pressureHpa) => onAir(row.stationId, { pressureHpa })}
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
                    onChange={(temperatureC) => onAir(row.stationId, { temperatureC })}
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
