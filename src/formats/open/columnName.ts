import { type RawQuantity, recognize, type Recognized } from "./quantity.ts";

const BRACKETED = /\s*[([]\s*([^)\]]*?)\s*[)\]]\s*$/;
const SUFFIX = /_([a-z]+)$/i;
/** Units at the end of names, after an underscore and in any letter case. */
const SUFFIXES: Partial<Record<string, string>> = {
  mm: "mm",
  cm: "cm",
  m: "m",
  hpa: "hPa",
  deg: "degree",
  dbhz: "dB-Hz",
};
/** Ranges at the Earth's surface in metres, to distinguish metres from millimetres. */
const RANGES_M = { ztd: [0.5, 5], ztd_sigma: [0, 0.2], pwv: [0, 0.15] } as const;

/** Separates name and unit of a column of a table: `ZTD (mm)`, `ztd [m]`, `ztd_m`. The unit is null if it has none. */
export function namedQuantity(head: string): RawQuantity {
  const [bracket, bracketed] = BRACKETED.exec(head) ?? [];
  const [suffix, word = ""] = SUFFIX.exec(head) ?? [];
  const unit = bracketed ?? SUFFIXES[word.toLowerCase()] ?? null;
  const ending = unit === null ? "" : (bracket ?? suffix ?? "");
  const name = head.slice(0, head.length - ending.length).trim() || head;
  return { name, unit, longName: null, standardName: null };
}

/**
 * Recognizes the quantity of a column. A variable of the service without a unit is taken as metres or millimetres by its
 * first value, with a remark.
 *
 * @param firstValue first value of the column; NaN if it has no value
 */
export function recognizeColumn(raw: RawQuantity, firstValue: number, remark: (sentence: string) => void): Recognized {
  const { variable } = recognize({ ...raw, unit: "mm" }).quantity;
  if (variable === null || raw.unit !== null) return recognize(raw);
  const [min, max] = RANGES_M[variable];
  const unit = firstValue >= min && firstValue <= max ? "m" : "mm";
  remark(`${raw.name} has no unit: its values are taken as ${unit}.`);
  return recognize({ ...raw, unit });
}
