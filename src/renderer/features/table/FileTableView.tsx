import { ChevronLeft, ChevronRight, FileText } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import { success } from "#shared/service/error.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { bridge } from "../../bridge/index.ts";
import { showRange } from "../../stores/range.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { rangeOf } from "../files/fileLines.ts";
import { oneCell } from "./cells.ts";
import { BY_TIME, isByTime, type RowOrder, validOrder } from "./order.ts";
import { RowTable } from "./RowTable.tsx";
import type { RowSource, TableColumn, TablePage } from "./source.ts";
import classes from "./table.module.css";

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
  return {
    key: JSON.stringify([id, range, firstColumn, order]),
    columns: series.map(seriesColumn),
    range,
    cached: null,
    async byTime(part, offset, limit, options) {
      const answer = await bridge.files.page({ fileId: file.id, seriesIds, range: part, offset, limit }, options);
      if (!answer.ok) return answer;
      const { columns, ...rest } = answer.value;
      return success({ ...rest, columns: byId(columns) });
    },
    ordering: isByTime(order)
      ? null
      : {
          order: (options) => bridge.files.rowOrder({ fileId: file.id, seriesIds, range, ...order }, options),
          async at(rows, options) {
            const answer = await bridge.files.rowsAt({ fileId: file.id, seriesIds, rows }, options);
            return answer.ok ? success({ timesMs: answer.value.timesMs, columns: byId(answer.value.columns) }) : answer;
          },
        },
  };
}

function seriesColumn({ id, satellite, quantity }: FileSeries): TableColumn {
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

/** The rows of a station of an opened file, marked as not being in the cache. */
export function FileTableView({ table, choice }: { readonly table: FileTable; readonly choice: ReactNode }) {
  const range = useWorkspace((s) => s.range);
  const { file, series } = table;
  const filled = rangeOf(series);
  const [wanted, setFirst] = useState(0);
  // There may be fewer columns if another file with the same name was opened.
  const first = wanted < series.length ? wanted : 0;
  const last = Math.min(series.length, first + MAX_COLUMNS);
  const isTruncated = series.length > MAX_COLUMNS;
  const [wantedOrder, setOrder] = useState(BY_TIME);
  const queryKey = JSON.stringify([range, first, wantedOrder]);
  // oxlint-disable-next-line react/exhaustive-deps -- `queryKey` stands for the query
  const source = useMemo(() => fileRows(table, range, first, wantedOrder), [table, queryKey]);
  return (
    <RowTable
      key={table.id}
      source={source}
      order={validOrder(wantedOrder, series)}
      onOrder={setOrder}
      copiedFrom={isTruncated ? `of ${file.name}, columns ${count(first + 1)} to ${count(last)},` : `of ${file.name}`}
      station={
        <>
          {choice}
          <span className={`${classes["ofFile"]} inline-row gap-1 min-h-7 text-quiet whitespace-nowrap`}>
            <FileText aria-hidden />
            From a file, not in the cache
          </span>
        </>
      }
      pager={isTruncated ? <ColumnPager first={first} last={last} total={series.length} onFirst={setFirst} /> : null}
      empty={
        <EmptyState
          icon={FileText}
          title="No rows in this range"
          actions={filled ? <Button onPress={() => showRange(filled)}>Show the range of its data</Button> : null}
        >
          {file.name} has no data of {table.label} in the time range.
        </EmptyState>
      }
    />
  );
}

interface ColumnPagerProps {
  readonly first: number;
  /** Exclusive. */
  readonly last: number;
  readonly total: number;
  readonly onFirst: (first: number) => void;
}

/** Shows which columns are visible, with buttons for the others. */
function ColumnPager({ first, last, total, onFirst }: ColumnPagerProps) {
  return (
    <div role="group" aria-label="Columns" className="inline-row gap-1 text-quiet whitespace-nowrap">
      <IconButton
        label="Previous columns"
        isDisabled={first === 0}
        onPress={() => onFirst(Math.max(0, first - MAX_COLUMNS))}
        icon={ChevronLeft}
      />
      <span aria-live="polite">
        Columns {count(first + 1)} to {count(last)} of {count(total)}
      </span>
      <IconButton
        label="Next columns"
        isDisabled={last >= total}
        onPress={() => onFirst(first + MAX_COLUMNS)}
        icon={ChevronRight}
      />
    </div>
  );
}
