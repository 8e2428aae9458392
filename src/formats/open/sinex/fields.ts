import { type Recognized, recognize } from "../quantity.ts";

/** Names of parameters in SINEX_TRO 2.00: meaning and base unit. */
const PARAMETERS: Readonly<Record<string, readonly [longName: string, unit: string]>> = {
  TROTOT: ["Zenith total delay", "m"],
  TROWET: ["Zenith wet delay", "m"],
  TRODRY: ["Zenith hydrostatic delay", "m"],
  TGNTOT: ["Total delay gradient, north", "m"],
  TGETOT: ["Total delay gradient, east", "m"],
  TGNWET: ["Wet delay gradient, north", "m"],
  TGEWET: ["Wet delay gradient, east", "m"],
  TGNDRY: ["Hydrostatic delay gradient, north", "m"],
  TGEDRY: ["Hydrostatic delay gradient, east", "m"],
  IWV: ["Integrated water vapour", "kg m-2"],
  PRESS: ["Pressure", "hPa"],
  TEMDRY: ["Temperature", "K"],
  HUMREL: ["Relative humidity", "%"],
  WMTEMP: ["Weighted mean temperature", "K"],
};
/** Names of older files and of single centres. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  TRWET: "TROWET",
  GRTOTN: "TGNTOT",
  GRTOTE: "TGETOT",
  WVAPOR: "IWV",
  PWV: "IWV",
  MTEMP: "WMTEMP",
};
const DEVIATION = /^_?(STDDEV|STDEV|SIGMA|SIG)$/;

/**
 * What the columns of TROP/SOLUTION hold. A STDDEV is that of the parameter before it.
 *
 * @param factors What the file multiplied the base units with (TROPO PARAMETER UNITS of 2.00); null where it does not say
 * @param untold The factor of delays and gradients then: 1,000 for millimetres, 1 for metres. All else is in base units.
 */
export function fieldsOf(names: readonly string[], factors: readonly number[] | null, untold: number): Recognized[] {
  const taken = new Map<string, number>();
  let before = "";
  return names.map((told, i) => {
    const isDeviation = DEVIATION.test(told.toUpperCase());
    if (!isDeviation) before = OTHER_NAMES[told.toUpperCase()] ?? told.toUpperCase();
    const [longName = null, baseUnit = null] = Object.hasOwn(PARAMETERS, before) ? PARAMETERS[before]! : [];
    const name = unique(isDeviation ? `${before}_STDDEV`.replace(/^_/, "") : told, taken);
    const factor = factors === null ? (baseUnit === "m" ? untold : 1) : (factors[i] ?? 1);
    const isMillimetres = baseUnit === "m" && factor === 1_000;
    const quantity = {
      name,
      longName: isDeviation && longName !== null ? `${longName}, standard deviation` : longName,
      standardName: null,
      unit: isMillimetres ? "mm" : baseUnit,
    };
    // Recognized by the name of the description, shown with the name in the file.
    const found = recognize({ ...quantity, name: isDeviation ? name : before });
    if (isMillimetres || factor === 1) return { quantity: { ...found.quantity, name }, factor: found.factor };
    const conversion = `in units of ${short(1 / factor)} ${baseUnit ?? "(no unit)"} in the file, shown in ${found.quantity.unit ?? "base units"} (× ${short(found.factor / factor)})`;
    return { quantity: { ...found.quantity, name, conversion }, factor: found.factor / factor };
  });
}

/** ZTD at the Earth's surface, in metres. */
const ZTD_M = { least: 0.5, most: 5 };

/** In which unit a row without one has its ZTD: the factor to metres, null where no value tells. */
export function factorOfRow(names: readonly string[], values: readonly number[]): number | null {
  const ztd = values[names.findIndex((name) => name.toUpperCase() === "TROTOT")] ?? Number.NaN;
  for (const factor of [1, 1_000]) if (ztd >= ZTD_M.least * factor && ztd <= ZTD_M.most * factor) return factor;
  return null;
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function unique(name: string, taken: Map<string, number>): string {
  const times = (taken.get(name) ?? 0) + 1;
  taken.set(name, times);
  return times === 1 ? name : `${name}_${times}`;
}
