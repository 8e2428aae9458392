import type { Variable } from "#shared/service/variables.ts";
import { formatUtc } from "#shared/time/utc.ts";
import type { NoDataStyle } from "../options.ts";
import type { WorldStation } from "../world/types.ts";
import type { RowBlock } from "./rows.ts";

const NO_DATA: Readonly<Record<NoDataStyle, string | null | undefined>> = {
  null: null,
  NaN: "NaN",
  empty: "",
  omit: undefined,
};

/** One row (2.5) as an object, for answers that are short. `RowBytes` writes the same for those that are not. */
export function rowWire(
  station: WorldStation,
  variables: readonly Variable[],
  block: RowBlock,
  row: number,
  noData: NoDataStyle,
): object {
  const values = variables.map((name, c) => {
    const value = block.columns[c]!.values[row]!;
    const isAbsent = value === null || Number.isNaN(value);
    return [name, isAbsent ? NO_DATA[noData] : value];
  });
  return {
    timestamp: formatUtc(block.timesMs[row]!),
    station_id: station.id,
    display_name: station.displayName,
    ...Object.fromEntries(values),
  };
}
