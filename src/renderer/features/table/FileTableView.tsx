import { FileText, ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { showRange } from "../../stores/range.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { rangeOf } from "../files/fileSeries.ts";
import { type FileTable, fileRows, MAX_COLUMNS } from "./fileRows.ts";
import { FilterBar, NoRowPasses } from "./FilterBar.tsx";
import { BY_TIME, validOrder } from "./order.ts";
import { RowTable } from "./RowTable.tsx";
import classes from "./table.module.css";

interface FileTableViewProps {
  readonly table: FileTable;
  readonly choice: ReactNode;
}

/** The rows of a station of an opened file, marked as not being in the cache. */
export function FileTableView({ table, choice }: FileTableViewProps) {
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
  const order = validOrder(wantedOrder, series);
  return (
    <RowTable
      key={table.id}
      source={source}
      sorting={{ sort: order.sort, onSort: (sort) => setOrder({ ...order, sort }) }}
      origin={isTruncated ? `of ${file.name}, columns ${count(first + 1)} to ${count(last)},` : `of ${file.name}`}
      station={
        <>
          {choice}
          <span className={classes["ofFile"]}>
            <FileText aria-hidden />
            From a file, not in the cache
          </span>
          <FilterBar
            columns={source.columns}
            filter={order.filter}
            onFilter={(filter) => setOrder({ ...order, filter })}
          />
          {isTruncated ? <ColumnPager first={first} last={last} total={series.length} onFirst={setFirst} /> : null}
        </>
      }
      empty={
        order.filter ? (
          <NoRowPasses onShowAll={() => setOrder({ ...order, filter: null })} />
        ) : (
          <EmptyState
            icon={<FileText aria-hidden />}
            title="No rows in this range"
            actions={filled ? <Button onPress={() => showRange(filled)}>Show the range of its data</Button> : null}
          >
            {file.name} has no data of {table.label} in the time range.
          </EmptyState>
        )
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
    <div role="group" aria-label="Columns" className={classes["pager"]}>
      <IconButton
        label="Previous columns"
        isDisabled={first === 0}
        onPress={() => onFirst(Math.max(0, first - MAX_COLUMNS))}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <span aria-live="polite">
        Columns {count(first + 1)} to {count(last)} of {count(total)}
      </span>
      <IconButton label="Next columns" isDisabled={last >= total} onPress={() => onFirst(first + MAX_COLUMNS)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
