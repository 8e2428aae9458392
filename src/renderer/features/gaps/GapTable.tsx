import { useMemo } from "react";
import { gapMark } from "#shared/plot/gapMarks.ts";
import type { MenuPosition } from "../../ui/ContextMenu.tsx";
import type { Sort } from "../../ui/grid/columns.ts";
import { Grid } from "../../ui/grid/Grid.tsx";
import { HatchSwatch } from "../../ui/HatchSwatch.tsx";
import { explained, GAP_COLUMNS, type GapLine } from "./list.ts";

interface GapTableProps {
  readonly lines: readonly GapLine[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly focus: number;
  readonly onFocus: (row: number) => void;
  readonly onShow: (line: GapLine) => void;
  /** Opens the context menu of a gap. */
  readonly onMenu: (line: GapLine, at: MenuPosition) => void;
}

const COLUMNS = GAP_COLUMNS.map((column) =>
  column.id === "cause"
    ? {
        ...column,
        hint: explained,
        renderCell: ({ cause }: GapLine) => (
          <>
            <HatchSwatch mark={gapMark(cause)} /> {gapMark(cause).word}
          </>
        ),
      }
    : column,
);

/** The gaps and their causes. */
export function GapTable({ lines, sort, onSort, focus, onFocus, onShow, onMenu }: GapTableProps) {
  const rows = useMemo(() => ({ count: lines.length, at: (i: number) => lines[i] ?? null }), [lines]);
  return (
    <Grid
      label="Gaps. Arrow keys move, Enter shows the gap in Series."
      columns={COLUMNS}
      rows={rows}
      sort={sort}
      onSort={onSort}
      focus={focus}
      onAct={(action) => action.kind !== "all" && onFocus(action.index)}
      onOpen={(index) => lines[index] && onShow(lines[index])}
      onMenu={(index, at) => {
        onFocus(index);
        if (lines[index]) onMenu(lines[index], at);
      }}
    />
  );
}
