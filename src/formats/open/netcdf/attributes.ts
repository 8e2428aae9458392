import type { NetcdfAttribute, NetcdfVariable } from "../../netcdf/read.ts";

type Owner = Pick<NetcdfVariable, "attributes">;

/** Longest text of a file that is shown. */
const MOST_CHARACTERS = 2_000;

function attributeOf({ attributes }: Owner, name: string): NetcdfAttribute | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/** A text attribute without spaces and NULs around it; null where it is absent, empty or no text. */
export function textOf(owner: Owner, name: string): string | null {
  const value = attributeOf(owner, name);
  const text = Array.isArray(value) && value.every((v) => typeof v === "string") ? value.join(" ") : value;
  if (typeof text !== "string") return null;
  return text.replaceAll("\0", "").trim().slice(0, MOST_CHARACTERS) || null;
}

/** A numeric attribute; texts that are numbers count, as some writers store `_FillValue` so. */
export function numbersOf(owner: Owner, name: string): number[] {
  const value = attributeOf(owner, name);
  if (value === undefined) return [];
  const list: readonly (string | number)[] = Array.isArray(value) ? value : [value as string | number];
  return list
    .filter((v) => typeof v !== "string" || v.trim() !== "")
    .map(Number)
    .filter((v, i) => !Number.isNaN(v) || typeof list[i] === "number");
}

export function numberOf(owner: Owner, name: string): number | null {
  return numbersOf(owner, name)[0] ?? null;
}

/** Names in a list such as `coordinates`. */
export function namesOf(owner: Owner, name: string): string[] {
  return textOf(owner, name)?.split(/\s+/) ?? [];
}
