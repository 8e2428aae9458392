import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { decimal, exponential } from "#shared/text.ts";
import type { PanelQuantity } from "./panel.ts";

// Formats of values in plots, tables and figures.

/** Formats a received value with up to three decimals, or an exponent if they would all be zero; a dash for NaN. */
export function exactValue(value: number): string {
  return value !== 0 && Math.abs(value) < 0.000_5 ? exponential(value) : decimal(value, 1, 3);
}

/** Formats a computed value, such as a mean or percentile. */
export function roundedValue(value: number): string {
  return decimal(value, 1);
}

/**
 * Formats a value of any magnitude with six digits or three decimals, whichever is more exact; a dash for NaN.
 *
 * @param digits minimum number of decimals
 */
export function anyValue(value: number, digits = 0): string {
  const power = Math.floor(Math.log10(Math.abs(value)));
  return value !== 0 && power < -4 ? exponential(value) : decimal(value, digits, Math.max(3, Math.min(9, 5 - power)));
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
