import type { SatelliteColumns } from "#shared/series/satelliteBlock.ts";
import type { RowTexts } from "./texts.ts";

type NamedLists = Pick<SatelliteColumns, "names" | "lists" | "list">;

/** Splits comma-separated lists of satellites, each distinct list once. */
export function nameLists({ texts, index }: RowTexts): NamedLists {
  const known = new Map<string, number>();
  const lists = texts.map((text) =>
    Int32Array.from(text.split(","), (name) => {
      const number = known.get(name) ?? known.size;
      if (number === known.size) known.set(name, number);
      return number;
    }),
  );
  return { names: [...known.keys()], lists, list: index };
}

/** Positions of the values of each satellite (slot) in the order of the rows. */
export interface SlotOrder {
  /** Number of rows with a value. */
  readonly rows: number;
  /** Number of satellites in all rows, including rows without a value. */
  readonly entries: number;
  /** Number of values of each slot. Slots are numbered in the order in which rows with a value contain them. */
  readonly sizes: readonly number[];
  /** Entry of each value, slot by slot. */
  readonly entryOf: Int32Array;
}

/** Returns null if a row has a value but no list. */
export function slotOrder({ names, lists, list }: NamedLists, missing: Uint8Array | null): SlotOrder | null {
  const slotOf = new Int32Array(names.length).fill(-1);
  const rowsOf = new Int32Array(lists.length);
  let slots = 0;
  let rows = 0;
  let entries = 0;
  for (let row = 0; row < list.length; row++) {
    const index = list[row]!;
    const seen = lists[index];
    if (seen) entries += seen.length;
    if (missing?.[row] === 1) continue;
    if (!seen) return null;
    rows++;
    if (rowsOf[index]!++ > 0) continue;
    for (const name of seen) if (slotOf[name] === -1) slotOf[name] = slots++;
  }
  const sizes = Array.from({ length: slots }, () => 0);
  lists.forEach((seen, index) => {
    const count = rowsOf[index]!;
    if (count > 0) for (const name of seen) sizes[slotOf[name]!]! += count;
  });
  let values = 0;
  const next = Int32Array.from(sizes, (size) => (values += size) - size);
  const entryOf = new Int32Array(values);
  for (let row = 0, entry = 0; row < list.length; row++) {
    const seen = lists[list[row]!];
    if (seen === undefined) continue;
    if (missing?.[row] === 1) entry += seen.length;
    else for (let i = 0; i < seen.length; i++) entryOf[next[slotOf[seen[i]!]!]!++] = entry++;
  }
  return { rows, entries, sizes, entryOf };
}
