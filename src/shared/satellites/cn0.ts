import { defined } from "#shared/defined.ts";
import { cutItems, parseValue, UNREADABLE } from "./values.ts";

/** More bands than any receiver tracks; a text with more is something else. */
export const MAX_BANDS = 16;
const BAND_NAME = /^[A-Za-z][A-Za-z0-9_]{0,7}$/;
const INSIDE = /[/|;:]/;

/** Signal bands in order of first occurrence: named by position (`1`, `2`) unless the texts name them (`l1`). */
export class BandRegistry {
  readonly #names: string[] = [];

  get names(): readonly string[] {
    return this.#names;
  }

  /** Returns the index of a band, adding a new one; -1 if there are too many. */
  indexOf(name: string): number {
    const found = this.#names.indexOf(name);
    if (found >= 0 || this.#names.length >= MAX_BANDS) return found;
    return this.#names.push(name) - 1;
  }
}

interface ParsedCn0 {
  /** One array per band of the registry, one value per satellite; NaN: no value. */
  readonly values: Float64Array[];
  readonly unreadable: number;
}

/**
 * Parses C/N0 values of `satellites` satellites. Accepted layouts, in this order:
 *
 * 1. one list per band, `45.1,44.0;38.2,37.5` (split by `;` or `|`), each as long as the list of satellites;
 * 2. one item per satellite, `45.1,44.0`, the bands inside it split by `/ | ; :`, `45.1/38.2,44.0/37.5`;
 * 3. a flat list of a whole multiple of the satellites, `45.1,38.2,44.0,37.5`: the specification has the values in the
 *    order of the identifiers, so the bands of the first satellite come first.
 *
 * A value may name its band (`L1=45.1`); otherwise its position determines the band. An item with an unreadable part
 * gives no value at all, because its other parts could belong to any band.
 *
 * @returns null if the number of values fits no layout
 */
export function parseCn0(text: string, satellites: number, bands: BandRegistry): ParsedCn0 | null {
  const items = itemsPerSatellite(text, satellites);
  if (items === null) return null;
  const values: Float64Array[] = bands.names.map(() => new Float64Array(satellites).fill(Number.NaN));
  let unreadable = 0;
  for (const [satellite, parts] of items.entries()) {
    if (!readItem(parts, bands, values, { satellite, satellites })) unreadable += 1;
  }
  return { values, unreadable };
}

/** Returns the parts of each satellite, one per band. */
function itemsPerSatellite(text: string, satellites: number): string[][] | null {
  if (satellites > 1 && /[;|]/.test(text)) {
    const lists = text.split(/[;|]/).map((list) => cutItems(list, satellites));
    if (lists.every((list) => list.length === satellites)) {
      return Array.from({ length: satellites }, (_, s) => lists.map((list) => defined(list[s])));
    }
  }
  const items = cutItems(text, satellites);
  if (items.length === satellites) return items.map((item) => item.split(INSIDE));
  const perSatellite = items.length / satellites;
  if (!Number.isInteger(perSatellite) || perSatellite > MAX_BANDS || items.some((item) => INSIDE.test(item)))
    return null;
  return Array.from({ length: satellites }, (_, s) => items.slice(s * perSatellite, (s + 1) * perSatellite));
}

/** Returns the name of the band at a position of a text without names; null if a text has no such position. */
export function nameAt(position: number): string | null {
  return position < MAX_BANDS ? String(position + 1) : null;
}

/** Stores the values of one satellite; returns false if a part is unreadable, a band is repeated, or there are too many. */
function readItem(
  parts: readonly string[],
  bands: BandRegistry,
  values: Float64Array[],
  { satellite, satellites }: { readonly satellite: number; readonly satellites: number },
): boolean {
  const byBand = new Map<string, number>();
  for (const [position, part] of parts.entries()) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? nameAt(position) : bandName(part.slice(0, equals));
    const value = parseValue(equals < 0 ? part : part.slice(equals + 1));
    if (!name || value === UNREADABLE || byBand.has(name)) return false;
    byBand.set(name, value);
  }
  for (const [name, value] of byBand) {
    // Only a value creates a band: `45.1/` or `-` names no second band.
    if (Number.isNaN(value)) continue;
    const band = bands.indexOf(name);
    if (band < 0) return false;
    while (values.length <= band) values.push(new Float64Array(satellites).fill(Number.NaN));
    defined(values[band])[satellite] = value;
  }
  return true;
}

function bandName(text: string): string | null {
  const name = text.trim();
  return BAND_NAME.test(name) ? name.toLowerCase() : null;
}
