import type { ColumnFacts } from "../meaning/columns.ts";
import { lengthOf, short } from "../meaning/survey.ts";

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
 * Returns what a file says about the columns of TROP/SOLUTION. A STDDEV belongs to the preceding parameter.
 *
 * @param factors factors of the base units (TROPO PARAMETER UNITS of 2.00); null if not stated: delays and gradients then
 * have no unit, other parameters are in base units
 */
export function fieldsOf(names: readonly string[], factors: readonly number[] | null): ColumnFacts[] {
  const taken = new Map<string, number>();
  let parameter = "";
  return names.map((stated, i) => {
    const isDeviation = DEVIATION.test(stated.toUpperCase());
    if (!isDeviation) parameter = OTHER_NAMES[stated.toUpperCase()] ?? stated.toUpperCase();
    const known = Object.hasOwn(PARAMETERS, parameter) ? PARAMETERS[parameter] : undefined;
    const [parameterName = null, baseUnit = null] = known ?? [];
    const own = isDeviation ? `${parameter}_STDDEV`.replace(/^_/, "") : stated;
    const times = 1 + (taken.get(own) ?? 0);
    taken.set(own, times);
    const name = times === 1 ? own : `${own}_${times}`;
    const longName = isDeviation && parameterName !== null ? `${parameterName}, standard deviation` : parameterName;
    const isLength = baseUnit === "m";
    const factor = factors?.[i] ?? 1;
    const length = isLength ? lengthOf(1_000 / factor) : undefined;
    const part = factor === 1 ? baseUnit : `${short(1 / factor)} ${baseUnit ?? ""}`.trim();
    const unit = isLength && factors === null ? null : (length?.unit ?? part);
    const raw = { name, longName, standardName: null, unit };
    return { heading: name, raw, unitBy: "its TROPO PARAMETER UNITS", isOfFormat: true };
  });
}
