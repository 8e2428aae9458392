import { useMemo, useRef, useState } from "react";
import type { Column, Sort } from "../../ui/grid/columns.ts";
import { Grid } from "../../ui/grid/Grid.tsx";
import { exactDuration, utc } from "../../ui/text.ts";
import { cellOf, gapEndMs } from "./cells.ts";
import type { RowOrder } from "./order.ts";
import { type Pages, type RowLocation, useCellGaps } from "./pages.ts";
import type { RowSource } from "./source.ts";

/** The selected rows: from the anchor to the focus. */
export interface Marked {
  readonly anchor: number;
  readonly focus: number;
}

export function markedRows({ anchor, focus }: Marked): { readonly from: number; readonly to: number } {
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) };
}

interface RowGridProps {
  readonly source: RowSource;
  readonly pages: Pages;
  readonly marked: Marked;
  readonly onMark: (marked: Marked) => void;
  readonly onCopy: () => void;
  readonly sort: RowOrder["sort"];
  readonly onSort: (sort: RowOrder["sort"]) => void;
}

/** The time of a row; of a gap with its length. */
function timeText({ page, index, timeMs }: RowLocation): string {
  const endMs = gapEndMs(page, index);
  return endMs === null ? utc(timeMs) : `${utc(timeMs)}, for ${exactDuration((endMs - timeMs) / 1_000)}`;
}

/** Id of the column of times; no column of values has it. */
const TIME = "";
const NO_ROWS = { from: 0, to: 0 };

/** The rows of a table; only visible ones are fetched and rendered. */
export function RowGrid({ source, pages, marked, onMark, onCopy, sort, onSort }: RowGridProps) {
  // While the rows of other columns are being read, the previous number of rows is kept, so that nothing moves.
  const lastTotal = useRef(0);
  lastTotal.current = pages.total ?? (pages.fault ? 0 : lastTotal.current);
  const count = lastTotal.current;
  const [rendered, setRendered] = useState(NO_ROWS);
  const gaps = useCellGaps(source, pages, rendered.from, rendered.to);
  const columns = useMemo(
    (): Column<RowLocation>[] => [
      {
        id: TIME,
        title: "Time, UTC",
        width: 236,
        isSticky: true,
        isSortable: true,
        text: timeText,
        renderCell: (row) =>
          gapEndMs(row.page, row.index) === null ? timeText(row) : <span className="text-faint">{timeText(row)}</span>,
      },
      ...source.columns.map((column): Column<RowLocation> => ({
        id: column.id,
        title: column.heading,
        above: column.station,
        meaning: column.meaning,
        ...(column.kind === "number" ? { width: 122, align: "end", isSortable: true } : { width: 172, share: 1 }),
        text: (row) => cellOf(row, column, gaps).text,
        renderCell: (row) => {
          const { text, isAbsent } = cellOf(row, column, gaps);
          return isAbsent ? <span className="text-faint">{text}</span> : text;
        },
        hint: (row) => cellOf(row, column, gaps).hint,
      })),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the source, a new object in every render
    [source.key, gaps],
  );
  const { from, to } = markedRows(marked);
  return (
    <Grid
      label="Rows"
      columns={columns}
      rows={{ count, at: (index) => pages.row(index) }}
      sort={{ column: sort.by ?? TIME, isDescending: sort.isDescending }}
      onSort={({ column, isDescending }: Sort) => onSort({ by: column === TIME ? null : column, isDescending })}
      focus={count > 0 ? marked.focus : -1}
      isSelected={(_, index) => index >= from && index <= to}
      isMulti
      follow={JSON.stringify([marked.focus, sort])}
      onAct={(action) => {
        if (action.kind === "all") onMark({ anchor: 0, focus: count - 1 });
        else onMark({ anchor: action.kind === "extend" ? marked.anchor : action.index, focus: action.index });
      }}
      onCopy={onCopy}
      onRendered={(first, end) => {
        pages.want(first, Math.max(first + 1, end));
        setRendered((v) => (v.from === first && v.to === end ? v : { from: first, to: end }));
      }}
    />
  );
}
