import { type Variable, variableInfo } from "#shared/service/variables.ts";
import { decimal } from "#shared/text.ts";
import type { PanelQuantity } from "./panel.ts";

// How values are written in plots, tables and figures.

/** A value as it was received, up to a thousandth of its unit; a dash where there is none. */
export function exactValue(value: number): string {
  return decimal(value, 1, 3);
}

/** A value that was computed: a mean, a percentile. */
export function roundedValue(value: number): string {
  return decimal(value, 1);
}

/** A value of whatever size, to six digits. */
export function anyValue(value: number): string {
  return Number.isNaN(value) ? "–" : String(Number(value.toPrecision(6)));
}

/** A scalar variable of the service as what a panel shows. */
export function quantityOf(variable: Variable): PanelQuantity {
  let quantity = QUANTITIES.get(variable);
  if (!quantity) {
    const { label, short, unit } = variableInfo(variable);
    quantity = { key: variable, short, label, unit };
    QUANTITIES.set(variable, quantity);
  }
  return quantity;
}

/** The same object every time: what shows it is drawn again only for another one. */
const QUANTITIES = new Map<Variable, PanelQuantity>();

/** As in `ZTD mm`. */
export function quantityTitle({ short, unit }: PanelQuantity): string {
  return unit ? `${short} ${unit}` : short;
}

/** "ZTD mm" */
export function nameAndUnit(variable: Variable): string {
  return quantityTitle(quantityOf(variable));
}

/** "ZTD (mm)", as journals write it. */
export function axisTitle({ short, unit }: PanelQuantity): string {
  return unit ? `${short} (${unit})` : short;
}

/** A number at an axis of a saved figure: without marks between thousands. */
export function axisNumber(value: number, decimals: number): string {
  return decimal(value, decimals).replaceAll(",", "");
}
