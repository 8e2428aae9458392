import { Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { many } from "../../ui/text.ts";
import { copyRows } from "./copyRows.ts";
import { JumpToTime } from "./JumpToTime.tsx";
import { type Marked, markedRows } from "./keys.ts";
import { RowGrid, type Sorting } from "./RowGrid.tsx";
import classes from "./table.module.css";
import type { RowSource } from "./source.ts";
import { usePages } from "./usePages.ts";

interface RowTableProps {
  readonly source: RowSource;
  /** Said after the number of rows that were copied: "of colleague.csv". */
  readonly of: string;
  /** Where rows can be sorted: of the cache. */
  readonly sorting?: Sorting;
  /** What says, or chooses, the station. */
  readonly station: ReactNode;
  /** Stands in place of the rows where there are none. */
  readonly empty: ReactNode;
}

/** The rows of a station with what can be done with them. */
export function RowTable({ source, of, sorting, station, empty }: RowTableProps) {
  const pages = usePages(source);
  const [marked, setMarked] = useState<Marked>({ anchor: 0, focus: 0 });
  const total = pages.total();
  const rows = total ?? 0;
  const { from, to } = markedRows(marked);
  const last = Math.max(0, rows - 1);
  const copy = (): void => void copyRows(source, Math.min(from, last), Math.min(to, last), of);
  // With a filter rows become fewer: the keyboard stays at one that is there.
  const shown = { anchor: Math.min(marked.anchor, last), focus: Math.min(marked.focus, last) };
  // What was looked for is at the top then.
  const onSort: Sorting["onSort"] = (series) => {
    setMarked({ anchor: 0, focus: 0 });
    sorting?.onSort(series);
  };
  const fault = pages.fault();
  return (
    <div className={classes["view"]}>
      <div className={classes["head"]}>
        {station}
        <span className={classes["quiet"]} aria-live="polite">
          {total === null ? "Counting …" : many(total, "row")}
        </span>
        <span className={classes["spring"]} />
        <JumpToTime source={source} rows={rows} onRow={(row) => setMarked({ anchor: row, focus: row })} />
        <Button onPress={copy} isDisabled={rows === 0}>
          <Copy aria-hidden />
          {rows === 0 ? "Copy" : `Copy ${many(Math.min(to, last) - Math.min(from, last) + 1, "row")}`}
        </Button>
        <Button onPress={() => void copyRows(source, 0, last, of)} isDisabled={rows === 0}>
          Copy all
        </Button>
      </div>
      {fault ? <FaultNote fault={fault} action={<Button onPress={() => pages.refresh()}>Try again</Button>} /> : null}
      {total === 0 ? (
        empty
      ) : (
        <RowGrid
          source={source}
          pages={pages}
          marked={total === null ? marked : shown}
          onMark={setMarked}
          onCopy={copy}
          sorting={sorting ? { ...sorting, onSort } : null}
        />
      )}
    </div>
  );
}
