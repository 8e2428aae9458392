import { type Recognized, recognize } from "../columnName.ts";

/** Parameters of SINEX_TRO 2.00: name and base unit. */
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
/** Names in older files and of individual centres. */
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
 * Returns the quantities of the columns of TROP/SOLUTION. A STDDEV belongs to the preceding parameter.
 *
 * @param factors factors of the base units (TROPO PARAMETER UNITS of 2.00); null if not stated
 * @param defaultFactor factor of delays and gradients if not stated: 1,000 for millimetres, 1 for metres; other
 * parameters are in base units
 */
export function fieldsOf(
  names: readonly string[],
  factors: readonly number[] | null,
  defaultFactor: number,
): Recognized[] {
  const taken = new Map<string, number>();
  let parameter = "";
  return names.map((stated, i) => {
    const isDeviation = DEVIATION.test(stated.toUpperCase());
    if (!isDeviation) parameter = OTHER_NAMES[stated.toUpperCase()] ?? stated.toUpperCase();
    const known = Object.hasOwn(PARAMETERS, parameter) ? PARAMETERS[parameter] : undefined;
    const [longName = null, baseUnit = null] = known ?? [];
    const name = unique(isDeviation ? `${parameter}_STDDEV`.replace(/^_/, "") : stated, taken);
    const factor = factors === null ? (baseUnit === "m" ? defaultFactor : 1) : (factors[i] ?? 1);
    const isMillimetres = baseUnit === "m" && factor === 1_000;
    const quantity = {
      name,
      longName: isDeviation && longName !== null ? `${longName}, standard deviation` : longName,
      standardName: null,
      unit: isMillimetres ? "mm" : baseUnit,
    };
    // Recognized by the standard name, shown with the name in the file.
    const found = recognize({ ...quantity, name: isDeviation ? name : parameter });
    if (isMillimetres || factor === 1) return { quantity: { ...found.quantity, name }, factor: found.factor };
    const conversion = `in units of ${short(1 / factor)} ${baseUnit ?? "(no unit)"} in the file, shown in ${found.quantity.unit ?? "base units"} (× ${short(found.factor / factor)})`;
    return { quantity: { ...found.quantity, name, conversion }, factor: found.factor / factor };
  });
}

/** Range of ZTD at the Earth's surface, in metres. */
const ZTD_M = { min: 0.5, max: 5 };

/** Guesses the unit of ZTD from the value in a row. Returns the factor to metres, or null if the value fits no unit. */
export function factorOfRow(names: readonly string[], values: readonly number[]): number | null {
  const ztd = values[names.findIndex((name) => name.toUpperCase() === "TROTOT")] ?? Number.NaN;
  for (const factor of [1, 1_000]) if (ztd >= ZTD_M.min * factor && ztd <= ZTD_M.max * factor) return factor;
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
