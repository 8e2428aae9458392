import { FileText, ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { showRange } from "../../stores/range.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { count } from "../../ui/text.ts";
import { rangeOf } from "../files/shownSeries.ts";
import { type FileTable, fileRows, MOST_COLUMNS } from "./fileRows.ts";
import { FilterBar, NoRowPasses } from "./FilterBar.tsx";
import { BY_TIME, fitting, pressed } from "./order.ts";
import { RowTable } from "./RowTable.tsx";
import classes from "./table.module.css";

interface FileTableViewProps {
  readonly table: FileTable;
  readonly choice: ReactNode;
}

/** The rows of a station of an opened file, marked as such: they are none of the cache. */
export function FileTableView({ table, choice }: FileTableViewProps) {
  const range = useWorkspace((s) => s.range);
  const { file, series } = table;
  const filled = rangeOf(series);
  const [wanted, setFirst] = useState(0);
  // The columns may have become fewer: a file of the same name was opened in its place.
  const first = wanted < series.length ? wanted : 0;
  const last = Math.min(series.length, first + MOST_COLUMNS);
  const isCut = series.length > MOST_COLUMNS;
  const [wantedOrder, setOrder] = useState(BY_TIME);
  const asked = JSON.stringify([range, first, wantedOrder]);
  // oxlint-disable-next-line react/exhaustive-deps -- `asked` stands for what is asked
  const source = useMemo(() => fileRows(table, range, first, wantedOrder), [table, asked]);
  const order = fitting(wantedOrder, series);
  return (
    <RowTable
      key={table.id}
      source={source}
      sorting={{ sort: order.sort, onSort: (by) => setOrder({ ...order, sort: pressed(order.sort, by) }) }}
      of={isCut ? `of ${file.name}, columns ${count(first + 1)} to ${count(last)},` : `of ${file.name}`}
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
          {isCut ? <ColumnPager first={first} last={last} of={series.length} onFirst={setFirst} /> : null}
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
  /** Not included. */
  readonly last: number;
  readonly of: number;
  readonly onFirst: (first: number) => void;
}

/** Which columns are shown of how many, and the way to the others; the rows stay where they are. */
function ColumnPager({ first, last, of, onFirst }: ColumnPagerProps) {
  return (
    <div role="group" aria-label="Columns" className={classes["pager"]}>
      <IconButton
        label="Previous columns"
        isDisabled={first === 0}
        onPress={() => onFirst(Math.max(0, first - MOST_COLUMNS))}
      >
        <ChevronLeft aria-hidden />
      </IconButton>
      <span aria-live="polite">
        Columns {count(first + 1)} to {count(last)} of {count(of)}
      </span>
      <IconButton label="Next columns" isDisabled={last >= of} onPress={() => onFirst(first + MOST_COLUMNS)}>
        <ChevronRight aria-hidden />
      </IconButton>
    </div>
  );
}
