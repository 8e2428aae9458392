import { defined } from "#shared/defined.ts";
import {
  NO_TEMPLATE,
  NUMBER_MARK,
  type SatelliteColumns,
  type SatelliteMatrix,
} from "#shared/series/satelliteBlock.ts";
import { MAX_BANDS, nameAt, type BandRegistry } from "./cn0.ts";
import { parseValue, type SatelliteNumbers } from "./values.ts";
import { IDENTIFIER } from "./parse.ts";

/**
 * Reads satellites from the numbers in the cache, with the same result as the parser of their texts.
 *
 * @returns null if the texts have to be parsed: they contain more than plain values, or invalid identifiers
 */
export function readColumns(
  timesMs: Float64Array,
  columns: SatelliteColumns,
  bands: BandRegistry,
): SatelliteNumbers | null {
  const named = nameEntries(timesMs.length, columns);
  if (named === null) return null;
  const entries = named.prn.length;
  const elevationDeg = readAngles(columns.el, entries);
  const azimuthDeg = readAngles(columns.az, entries);
  if (elevationDeg === null || azimuthDeg === null) return null;
  // Last, because registered bands remain even if this function returns null.
  const cn0DbHz = readCn0(columns.snr, entries, bands);
  return cn0DbHz && { timesMs, ...named, elevationDeg, azimuthDeg, cn0DbHz };
}

type Named = Pick<SatelliteNumbers, "offsets" | "prns" | "prn">;

function nameEntries(rows: number, { names, lists, list }: SatelliteColumns): Named | null {
  const indexOf = new Int32Array(names.length).fill(-1);
  const prns: string[] = [];
  const known: (Uint32Array | undefined)[] = [];
  const offsets = new Uint32Array(rows + 1);
  let entries = 0;
  for (let row = 0; row < rows; row++) {
    const index = list[row]!;
    const seen = lists[index];
    if (seen) {
      const indices = (known[index] ??= Uint32Array.from(seen, (name) =>
        indexOf[name] === -1 ? (indexOf[name] = prns.push(names[name]!) - 1) : indexOf[name]!,
      ));
      entries += indices.length;
    }
    offsets[row + 1] = entries;
  }
  if (!prns.every((name) => IDENTIFIER.test(name)) || hasDuplicates(known, prns.length)) return null;
  const prn = new Uint32Array(entries);
  for (let row = 0; row < rows; row++) {
    const indices = known[list[row]!];
    if (indices) prn.set(indices, offsets[row]);
  }
  return { offsets, prns, prn };
}

/** Whether any list names a satellite twice. */
function hasDuplicates(lists: readonly (Uint32Array | undefined)[], satellites: number): boolean {
  const lastList = new Int32Array(satellites).fill(-1);
  return lists.some((indices, list) =>
    indices?.some((index) => {
      const twice = lastList[index] === list;
      lastList[index] = list;
      return twice;
    }),
  );
}

/** A value of a template: its number in each entry, and their divisor; null: no value. */
type Part = { readonly numbers: Int32Array; readonly scale: number } | null;

function readAngles(matrix: SatelliteMatrix | null, entries: number): Float64Array | null {
  const values = new Float64Array(entries);
  if (matrix === null) return values.fill(Number.NaN);
  const { templates, kinds, places } = matrix;
  const parts: Part[] = [];
  for (const template of templates) {
    const part = textParts([template], places)?.[0];
    if (part === undefined) return null;
    parts.push(part);
  }
  const [only = null] = parts;
  if (kinds.length === 0) return fill(values, only);
  for (let entry = 0; entry < entries; entry++) {
    const part = kinds[entry] === NO_TEMPLATE ? null : parts[kinds[entry]!]!;
    values[entry] = part === null ? Number.NaN : part.numbers[entry]! / part.scale;
  }
  return values;
}

function readCn0(matrix: SatelliteMatrix | null, entries: number, bands: BandRegistry): Float64Array[] | null {
  const noValues = () => new Float64Array(entries).fill(Number.NaN);
  const values = bands.names.map(noValues);
  if (matrix === null || entries === 0) return values;
  const { templates, kinds, places } = matrix;
  const parts = templates.map((template) => textParts(template.split(/[/:]/), places));
  if (parts.some((list) => list === null || list.length > MAX_BANDS)) return null;
  const bandOf: number[] = [];
  // Only a value creates a band, in order of first occurrence.
  const valuesOf = (position: number): Float64Array | null => {
    const band = (bandOf[position] ??= bands.indexOf(defined(nameAt(position))));
    return band < 0 ? null : (values[band] ??= noValues());
  };
  if (kinds.length === 0) {
    for (const [position, part] of defined(parts[0]).entries()) {
      const target = part && valuesOf(position);
      if (target) fill(target, part);
      else if (part) return null;
    }
    return values;
  }
  for (let entry = 0; entry < entries; entry++) {
    if (kinds[entry] === NO_TEMPLATE) continue;
    const list = parts[kinds[entry]!]!;
    for (let position = 0; position < list.length; position++) {
      const part = list[position]!;
      if (part === null) continue;
      const target = valuesOf(position);
      if (target === null) return null;
      target[entry] = part.numbers[entry]! / part.scale;
    }
  }
  return values;
}

function fill(values: Float64Array, part: Part): Float64Array {
  if (part === null) return values.fill(Number.NaN);
  const { numbers, scale } = part;
  // Both are exact integers, so that the quotient is the double nearest to the decimal, as if parsed from text.
  for (let i = 0; i < values.length; i++) values[i] = numbers[i]! / scale;
  return values;
}

/** Interprets each text as a single number or as "no value"; returns null if any is something else. */
function textParts(texts: readonly string[], places: SatelliteMatrix["places"]): readonly Part[] | null {
  const parts: Part[] = [];
  let place = 0;
  for (const text of texts) {
    const alone = text.trim();
    const decimals = alone.length === 1 ? alone.charCodeAt(0) - NUMBER_MARK : -1;
    if (decimals >= 0) parts.push({ numbers: defined(places[place++]), scale: 10 ** decimals });
    // Blank text is left to the parser, which counts it as a problem.
    else if ((text === "" || alone !== "") && Number.isNaN(parseValue(text))) parts.push(null);
    else return null;
  }
  return parts;
}
