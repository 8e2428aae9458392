import { formatUtc } from "#shared/time/utc.ts";
import type { NoDataStyle, ServiceSettings } from "../options.ts";
import type { WorldStation } from "../world/types.ts";
import type { RowBlock } from "./rows.ts";

const NO_DATA: Readonly<Record<NoDataStyle, string | null | undefined>> = {
  null: null,
  NaN: "NaN",
  empty: "",
  omit: undefined,
};

/** The form of rows, where the specification leaves it open. */
export type RowForm = Pick<ServiceSettings, "noData" | "earlierForm">;

/** The field that names the station of a row (2.5; 9.3 in the earlier form). */
export function stationKey(form: RowForm): string {
  return form.earlierForm ? "receiver_id" : "station_id";
}

/** The first row of a block (2.5) as an object, for short responses. `RowBytes` writes the same for long ones. */
export function rowWire(station: WorldStation, { timesMs, columns }: RowBlock, form: RowForm): object {
  const values = columns.map(({ variable, values: [value] }) => {
    const isAbsent = value === null || Number.isNaN(value);
    return [variable, isAbsent ? NO_DATA[form.noData] : value];
  });
  return {
    timestamp: formatUtc(timesMs[0]!),
    [stationKey(form)]: station.id,
    display_name: station.displayName,
    ...Object.fromEntries(values),
  };
}
