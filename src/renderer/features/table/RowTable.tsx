import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { parseMoment } from "#shared/time/typed.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState, FaultStrip, Over } from "../../ui/notes.tsx";
import { count, many, utcMinutes } from "../../ui/text.ts";
import { type Marked, markedRows, RowGrid } from "./RowGrid.tsx";
import classes from "./table.module.css";
import type { RowSource, ShownRows, TableColumn, TablePage } from "./source.ts";
import { usePages } from "./pages.ts";
import { useCommand } from "../../stores/commands.ts";
import { orShowFault, showToast } from "../../stores/toasts.ts";
import { countRows, tsv } from "./cells.ts";
import { BY_TIME, type Filter, type RowOrder } from "./order.ts";
import { Form, TextField } from "../../ui/fields.tsx";
import { Select } from "../../ui/choices.tsx";
import { InputScope, useIsInvalid } from "../../ui/InputScope.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { NumberField } from "../../ui/NumberField.tsx";

const PAGE_ROWS = 10_000;
/** Maximum number of rows copied: spreadsheets have difficulties with more. */
const MAX_COPIED_ROWS = 100_000;

interface Copied extends Pick<RowTableProps, "source" | "copiedFrom"> {
  readonly rows: ShownRows;
}

/** Copies rows to the clipboard, tab-separated with a heading. */
async function copyRows({ source, rows, copiedFrom }: Copied, from: number, to: number): Promise<void> {
  const wanted = to - from + 1;
  if (wanted > MAX_COPIED_ROWS) {
    showToast(`${count(wanted)} rows are too many for the clipboard. Export them as CSV instead.`);
    return;
  }
  const pages: TablePage[] = [];
  for (let offset = from; offset <= to; offset += PAGE_ROWS) {
    const answer = await orShowFault(rows.page(offset, Math.min(PAGE_ROWS, to - offset + 1), {}));
    if (!answer.ok) return;
    pages.push(answer.value);
  }
  try {
    await navigator.clipboard.writeText(tsv(pages, source.columns));
    showToast(
      `${many(
        pages.reduce((sum, page) => sum + countRows(page), 0),
        "row",
      )}${copiedFrom && ` ${copiedFrom}`} copied.`,
    );
  } catch {
    showToast("The browser does not allow copying. Export the rows as CSV instead.", null, "fault");
  }
}

interface RowTableProps {
  readonly source: RowSource;
  /** Follows the number of copied rows in the message: "of colleague.csv". */
  readonly copiedFrom: string;
  readonly order: RowOrder;
  readonly onOrder: (order: RowOrder) => void;
  /** Shows or chooses the station. */
  readonly station: ReactNode;
  /** Chooses the columns. */
  readonly pager?: ReactNode;
  /** Shown if the time range contains no rows. */
  readonly empty: ReactNode;
}

/** A table of rows with controls to sort, filter and copy them and to go to a time. */
export function RowTable(props: RowTableProps) {
  return (
    <InputScope>
      <ScopedRowTable {...props} />
    </InputScope>
  );
}

function ScopedRowTable({ source, copiedFrom, order, onOrder, station, pager, empty }: RowTableProps) {
  const pages = usePages(source);
  const [marked, setMarked] = useState<Marked>({ anchor: 0, focus: 0 });
  const { total, values, fault } = pages;
  const isInvalid = useIsInvalid();
  const rows = isInvalid ? 0 : (total ?? 0);
  const { from, to } = markedRows(marked);
  const last = Math.max(0, rows - 1);
  const copyPart = (first: number, end: number): void => {
    if (pages.rows) void copyRows({ source, rows: pages.rows, copiedFrom }, first, end);
  };
  const copy = (): void => copyPart(Math.min(from, last), Math.min(to, last));
  // A filter may remove the focused row.
  const shown = { anchor: Math.min(marked.anchor, last), focus: Math.min(marked.focus, last) };
  // After sorting, the first rows are the interesting ones.
  const onSort = (sort: RowOrder["sort"]): void => {
    setMarked({ anchor: 0, focus: 0 });
    onOrder({ ...order, sort });
  };
  useCommand("copy", copy, rows > 0);
  return (
    <div className="pane">
      <div className={`${classes["head"]} flex flex-wrap items-start gap-x-3 gap-y-2 px-3 py-2`}>
        {station}
        <FilterBar
          columns={source.columns}
          filter={order.filter}
          onFilter={(filter) => onOrder({ ...order, filter })}
        />
        {pager}
        <span className={classes["quiet"]} aria-live="polite">
          {isInvalid ? null : values !== null ? many(values, "row") : fault === null ? "Counting …" : null}
        </span>
        <span className="flex-1" />
        <JumpToTime
          range={source.range}
          rows={rows === 0 ? null : pages.rows}
          onRow={(row) => setMarked({ anchor: row, focus: row })}
        />
        <MenuButton
          label="Copy"
          button={
            <Button isDisabled={rows === 0} icon={Copy}>
              Copy
            </Button>
          }
          entries={[
            {
              id: "selected",
              label: many(Math.min(to, last) - Math.min(from, last) + 1, "selected row"),
              onAction: copy,
            },
            { id: "all", label: "All rows", onAction: () => copyPart(0, last) },
          ]}
        />
      </div>
      <Over>
        {fault ? (
          <FaultStrip
            fault={fault}
            action={
              // Rows that cannot be sorted or filtered can be shown in the order of time.
              fault.kind === "usage" ? (
                <Button onPress={() => onOrder(BY_TIME)}>Show all rows by time</Button>
              ) : (
                <Button onPress={() => pages.again()}>Try again</Button>
              )
            }
          />
        ) : null}
      </Over>
      {isInvalid ? (
        <EmptyState title="The filter is invalid">Correct the marked number to see the rows.</EmptyState>
      ) : total === 0 ? (
        order.filter ? (
          <NoRowPasses onShowAll={() => onOrder({ ...order, filter: null })} />
        ) : (
          empty
        )
      ) : (
        <RowGrid
          source={source}
          pages={pages}
          marked={total === null ? marked : shown}
          onMark={setMarked}
          onCopy={copy}
          sort={order.sort}
          onSort={onSort}
        />
      )}
    </div>
  );
}

interface JumpProps {
  readonly range: TimeRange;
  /** null if there are none. */
  readonly rows: ShownRows | null;
  readonly onRow: (row: number) => void;
}

/** A field that goes to the first row at or after a time. */
function JumpToTime({ range: { startMs, endMs }, rows, onRow }: JumpProps) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const jump = async (): Promise<void> => {
    const momentMs = parseMoment(text, Date.now());
    if (momentMs === null) return setProblem("A time looks like 2026-11-14 08:30.");
    if (momentMs < startMs || momentMs >= endMs) return setProblem("This time is outside of the time range.");
    setProblem(null);
    if (rows === null) return;
    const answer = await orShowFault(rows.rowAt(momentMs));
    if (answer.ok) onRow(answer.value);
  };
  return (
    <Form className={`${classes["jump"]} flex items-start gap-2`} onSubmit={jump}>
      <TextField
        label="Go to time, UTC"
        isLabelHidden
        value={text}
        onChange={setText}
        placeholder={utcMinutes(startMs)}
        problem={problem}
      />
      <Button type="submit">Go</Button>
    </Form>
  );
}

interface FilterBarProps {
  readonly columns: readonly TableColumn[];
  readonly filter: Filter | null;
  readonly onFilter: (filter: Filter | null) => void;
}

const ALL = "all";
const EVERY = "every";

/** Filters rows: all, or those with a value in one column or in every column, optionally between two bounds. */
function FilterBar({ columns, filter, onFilter }: FilterBarProps) {
  const choices = [
    { value: ALL, label: "All rows" },
    ...(columns.length > 1 ? [{ value: EVERY, label: "Rows with a value in every column" }] : []),
    ...columns.map((column) => ({
      value: column.id,
      label: `Rows with ${[column.station, column.heading].filter(Boolean).join(" ")}`,
    })),
  ];
  const filtered = filter && columns.find((column) => column.id === filter.of);
  const value = filter === null ? ALL : (filtered?.id ?? EVERY);
  const choose = (next: string): void => {
    if (next === ALL) return onFilter(null);
    const { atLeast = null, atMost = null } = filter ?? {};
    onFilter({ atLeast, atMost, of: next === EVERY ? null : next });
  };
  const hasNumbers = filtered ? filtered.kind === "number" : columns.some(({ kind }) => kind === "number");
  return (
    <div role="group" aria-label="Filter" className={`${classes["filter"]} flex items-start gap-2`}>
      <Select label="Rows to show" choices={choices} value={value} onChange={choose} />
      {filter && hasNumbers ? (
        <>
          <NumberField
            label="At least"
            isLabelHidden
            placeholder="At least"
            value={filter.atLeast}
            onChange={(atLeast) => onFilter({ ...filter, atLeast })}
          />
          <NumberField
            label="At most"
            isLabelHidden
            placeholder="At most"
            value={filter.atMost}
            onChange={(atMost) => onFilter({ ...filter, atMost })}
          />
        </>
      ) : null}
    </div>
  );
}

function NoRowPasses({ onShowAll }: { readonly onShowAll: () => void }) {
  return (
    <EmptyState title="No rows match the filter" actions={<Button onPress={onShowAll}>Show all rows</Button>}>
      The time range contains no such values.
    </EmptyState>
  );
}
