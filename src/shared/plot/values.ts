import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";
import type { PanelQuantity } from "./panel.ts";

// Formats of values in plots, tables and figures.

/** Formats a received value with up to three decimals; a dash for NaN. */
export function exactValue(value: number): string {
  return decimal(value, 1, 3);
}

/** Formats a computed value, such as a mean or percentile. */
export function roundedValue(value: number): string {
  return decimal(value, 1);
}

/** Formats a value of any magnitude with six digits. */
export function anyValue(value: number): string {
  return Number.isNaN(value) ? "–" : String(Number(value.toPrecision(6)));
}

/** Returns the quantity of a variable: always the same object, because a new one causes a redraw. */
export function quantityOf(variable: Variable): PanelQuantity {
  let quantity = QUANTITIES.get(variable);
  if (!quantity) {
    const { label, short, unit } = variableInfo(variable);
    quantity = { key: variable, short, label, unit };
    QUANTITIES.set(variable, quantity);
  }
  return quantity;
}

const QUANTITIES = new Map<Variable, PanelQuantity>();

/** "ZTD mm" */
export function quantityTitle({ short, unit }: PanelQuantity): string {
  return unit ? `${short} ${unit}` : short;
}

/** "ZTD mm" */
export function nameAndUnit(variable: Variable): string {
  return quantityTitle(quantityOf(variable));
}

/** "ZTD (mm)", the style of journals. */
export function axisTitle({ short, unit }: PanelQuantity): string {
  return unit ? `${short} (${unit})` : short;
}

/** Formats a number at an axis of a saved figure, without thousands separators. */
export function axisNumber(value: number, decimals: number): string {
  return decimal(value, decimals).replaceAll(",", "");
}
