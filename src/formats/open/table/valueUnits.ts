import { unitNamed } from "#shared/file/units.ts";
import { isNoValueWord } from "../meaning/noValue.ts";

/** A number with its unit, as dashboards such as Grafana format values: `2.405 m`, `45%`. */
const WITH_UNIT = /^([-+]?[\d.,]+)(?:\s+|(?=[%°]))(\D+)$/;

/** The unit in a field; null without one. */
function unitOfField(field: string): string | null {
  const [, , unit = ""] = WITH_UNIT.exec(field.trim()) ?? [];
  return unitNamed(unit) === null ? null : unit;
}

/** The unit in all fields of a column; null without a common one. K after a number may be a thousand. */
export function unitOfFields(fields: readonly string[]): string | null {
  const [unit = null, ...others] = new Set(fields.filter((field) => !isNoValueWord(field)).map(unitOfField));
  return others.length === 0 && unit !== "K" ? unit : null;
}

/** The number in a field with this unit; other fields are texts, except those of no value. */
export function withoutUnit(field: string, unit: string): string {
  if (unitOfField(field) === unit) return field.trim().slice(0, -unit.length);
  return isNoValueWord(field) ? "" : `${field} (no ${unit})`;
}
