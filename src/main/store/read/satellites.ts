import type { SatelliteBlock, SatelliteColumns, SatelliteMatrix } from "#shared/series/satelliteBlock.ts";
import type { SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { decodeChunk, decodeTimes, type StoredChunk } from "../chunks/chunk.ts";
import { decodeRowTexts, nameLists, type SlotOrder, slotOrder } from "../codec/texts.ts";
import { decodeMatrix } from "../codec/matrix.ts";
import { DamagedData } from "../errors.ts";
import { concatRows } from "../chunks/rows.ts";
import { cutToSelection, kindsOf } from "./reader.ts";
import { lowerBound } from "#shared/arrays.ts";
import type { Tables } from "../tables/index.ts";

const VALUES = ["el", "az", "snr"] as const;

/** Implements `CacheReader.satellites` for one bucket; null if it has no rows. */
export function readSatelliteBlock(tables: Tables, selection: SeriesSelection, startMs: UtcMs): SatelliteBlock | null {
  const [kind] = kindsOf(selection);
  const chunk = kind && tables.chunks.stored(kind.key, startMs, kind.variables);
  if (!chunk) return null;
  const wanted = new Set(kind.variables);
  const texts = () => cutToSelection(concatRows([decodeChunk(chunk, kind.variables)], kind.variables), selection);
  const numbers = isWhole(chunk, wanted) ? satelliteColumns(chunk, wanted) : null;
  if (numbers === null) {
    const rows = texts();
    return rows && { timesMs: rows.timesMs, columns: null, texts: () => rows };
  }
  const { timesMs, columns } = cutColumns(decodeTimes(chunk), numbers, selection.range);
  if (timesMs.length === 0) return null;
  return {
    timesMs,
    columns,
    texts() {
      const rows = texts();
      if (rows === null) throw new DamagedData("rows without texts");
      return rows;
    },
  };
}

/** Returns whether every row was requested with one of the variables; otherwise some rows must be left out. */
function isWhole({ columns }: StoredChunk, wanted: ReadonlySet<Variable>): boolean {
  return [...columns].some(([variable, { present }]) => wanted.has(variable) && present === null);
}

function satelliteColumns(chunk: StoredChunk, wanted: ReadonlySet<Variable>): SatelliteColumns | null {
  const prn = chunk.columns.get("prn");
  if (!prn || !wanted.has("prn") || prn.codec !== "texts") return null;
  const named = nameLists(decodeRowTexts(prn.data, chunk.rows));
  let whole: SlotOrder | null = null;
  const orderOf = (missing: Uint8Array | null) =>
    missing ? slotOrder(named, missing) : (whole ??= slotOrder(named, null));
  const found: Partial<Record<(typeof VALUES)[number], SatelliteMatrix>> = {};
  for (const variable of VALUES) {
    const column = chunk.columns.get(variable);
    if (!column || !wanted.has(variable)) continue;
    if (column.codec !== "matrix") return null;
    found[variable] = decodeMatrix(column.data, orderOf).matrix;
  }
  return { ...named, el: found.el ?? null, az: found.az ?? null, snr: found.snr ?? null };
}

function cutColumns(timesMs: Float64Array, columns: SatelliteColumns, range: TimeRange) {
  const start = lowerBound(timesMs, range.startMs);
  const end = Math.max(start, lowerBound(timesMs, range.endMs));
  if (start === 0 && end === timesMs.length) return { timesMs, columns };
  const [from, to] = [entriesUpTo(columns, start), entriesUpTo(columns, end)];
  const cut = (matrix: SatelliteMatrix | null) => matrix && cutMatrix(matrix, from, to);
  const { list, el, az, snr } = columns;
  return {
    timesMs: timesMs.subarray(start, end),
    columns: { ...columns, list: list.subarray(start, end), el: cut(el), az: cut(az), snr: cut(snr) },
  };
}

function cutMatrix({ templates, kinds, places }: SatelliteMatrix, from: number, to: number): SatelliteMatrix {
  return { templates, kinds: kinds.subarray(from, to), places: places.map((numbers) => numbers.subarray(from, to)) };
}

function entriesUpTo({ lists, list }: SatelliteColumns, row: number): number {
  let entries = 0;
  for (let i = 0; i < row; i++) entries += lists[list[i]!]?.length ?? 0;
  return entries;
}
