import type { NetcdfAttribute, NetcdfVariable } from "../../netcdf/read.ts";

type Owner = Pick<NetcdfVariable, "attributes">;

/** Longer texts are cut. */
const MAX_CHARACTERS = 2_000;

function attributeOf({ attributes }: Owner, name: string): NetcdfAttribute | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined;
}

/** Returns a text attribute, trimmed and without NULs; null if it is absent, empty or no text. */
export function textOf(owner: Owner, name: string): string | null {
  const value = attributeOf(owner, name);
  const text = Array.isArray(value) && value.every((v) => typeof v === "string") ? value.join(" ") : value;
  if (typeof text !== "string") return null;
  return text.replaceAll("\0", "").trim().slice(0, MAX_CHARACTERS) || null;
}

/** Returns a numeric attribute. Numeric texts are accepted, because some writers store `_FillValue` as text. */
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

/** Returns the names in a list attribute such as `coordinates`. */
export function namesOf(owner: Owner, name: string): string[] {
  return textOf(owner, name)?.split(/\s+/) ?? [];
}
