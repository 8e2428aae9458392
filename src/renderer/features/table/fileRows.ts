import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import { success } from "#shared/service/error.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { oneCell } from "./cells.ts";
import { isByTime, orderedRows, type RowOrder, validOrder } from "./order.ts";
import { rowByCount, type RowSource, type TableColumn, type TablePage } from "./source.ts";

/** Series of one station of an opened file that share their epochs: the columns of one table. */
export interface FileTable {
  /** Unique among all tables; never equal to the id of a station. */
  readonly id: string;
  readonly file: OpenedFile;
  readonly label: string;
  readonly series: readonly FileSeries[];
}

/** Maximum number of columns shown at a time, limited by the query to the core. */
export const MAX_COLUMNS = 50;

/** Returns the tables of opened files, in the order of the files. */
export function fileTables(files: readonly OpenedFile[]): FileTable[] {
  return files.flatMap((file) => {
    const filled = file.series.filter((series) => series.range !== null);
    const groups = Map.groupBy(filled, ({ label, timesId }) => JSON.stringify([file.id, label, timesId]));
    return [...groups].map(([id, series]) => ({ id, file, label: series[0]?.label ?? "", series }));
  });
}

/** Returns the rows of a table in a time range, with up to `MAX_COLUMNS` columns from `firstColumn` on. */
export function fileRows(
  { id, file, series: all }: FileTable,
  range: TimeRange,
  firstColumn: number,
  wanted: RowOrder,
): RowSource {
  const series = all.slice(firstColumn, firstColumn + MAX_COLUMNS);
  const seriesIds = series.map((s) => s.id);
  const order = validOrder(wanted, all);
  const byId = (columns: readonly Float64Array[]): TablePage["columns"] =>
    Object.fromEntries(seriesIds.map((seriesId, i) => [seriesId, columns[i]]));
  const page: RowSource["page"] = async (part, offset, limit, signal) => {
    const query = { fileId: file.id, seriesIds, range: part, offset, limit };
    const answer = await bridge.files.page(query, signal ? { signal } : {});
    if (!answer.ok) return answer;
    const { columns, ...rest } = answer.value;
    return success({ ...rest, columns: byId(columns) });
  };
  const rows = isByTime(order)
    ? { page, follow, rowAt: rowByCount(page, range) }
    : orderedRows({
        follow,
        inOrder: () => bridge.files.rowOrder({ fileId: file.id, seriesIds, range, ...order }),
        async at(wantedRows, signal) {
          const query = { fileId: file.id, seriesIds, rows: wantedRows };
          const answer = await bridge.files.rowsAt(query, signal ? { signal } : {});
          return answer.ok ? success({ timesMs: answer.value.timesMs, columns: byId(answer.value.columns) }) : answer;
        },
      });
  return {
    ...rows,
    key: JSON.stringify([id, range, firstColumn, order]),
    columns: series.map(columnOf),
    range,
    cached: null,
  };
}

const follow: RowSource["follow"] = (changed) => bridge.on("engineRestarted", changed);

function columnOf({ id, satellite, quantity }: FileSeries): TableColumn {
  const { name, unit, longName, conversion } = quantity;
  const heading = [satellite, name, unit].filter(Boolean).join(" ");
  return {
    id,
    station: null,
    heading,
    copiedAs: oneCell(heading),
    meaning: [longName ?? name, conversion].filter(Boolean).join(". "),
    kind: "number",
    series: null,
  };
}
