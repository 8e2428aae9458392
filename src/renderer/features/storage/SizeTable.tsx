import { Pin } from "lucide-react";
import { useMemo, useState } from "react";
import type { StationSize } from "#shared/series/cache.ts";
import { SATELLITE_VARIABLES, SCALAR_VARIABLES, shortName, type Variable } from "#shared/service/variables.ts";
import { useNowMs } from "../../stores/clock.ts";
import { type Column, type Sort, sortRows } from "../../ui/grid/columns.ts";
import { Grid } from "../../ui/grid/Grid.tsx";
import { type RowAction, select } from "../../ui/grid/select.ts";
import { TickAll } from "../../ui/grid/TickAll.tsx";
import { ago, bytes, utcMinutes } from "../../ui/text.ts";

interface SizeRow {
  readonly size: StationSize;
  readonly name: string;
}

export function stationBytes({ bytes }: StationSize, variables: readonly Variable[]): number {
  return variables.reduce((sum, v) => sum + (bytes[v] ?? 0), 0);
}

/** A column with bytes, which starts with the largest. */
function bytesColumn(id: string, title: string, of: (size: StationSize) => number): Column<SizeRow> {
  const text = ({ size }: SizeRow): string | null => (of(size) === 0 ? null : bytes(of(size)));
  return { id, title, width: 80, align: "end", startsDescending: true, key: ({ size }) => of(size), text };
}

function columnsAt(nowMs: number): readonly Column<SizeRow>[] {
  return [
    { id: "name", title: "Station", width: 120, share: 1, isName: true, key: (r) => r.name, text: (r) => r.name },
    ...SCALAR_VARIABLES.map((v) => bytesColumn(v, shortName(v), (size) => stationBytes(size, [v]))),
    bytesColumn("satellites", "Satellites", (size) => stationBytes(size, SATELLITE_VARIABLES)),
    {
      ...bytesColumn("total", "Total", (size) => size.totalBytes),
      renderCell: ({ size }) => <strong>{bytes(size.totalBytes)}</strong>,
    },
    {
      id: "used",
      title: "Last used",
      width: 96,
      align: "end",
      startsDescending: true,
      key: ({ size }) => size.usedAtMs ?? 0,
      text: ({ size }) => (size.usedAtMs === null ? null : ago(size.usedAtMs, nowMs)),
      hint: ({ size }) => (size.usedAtMs === null ? null : `${utcMinutes(size.usedAtMs)} UTC`),
    },
    {
      id: "pinned",
      title: "Pinned",
      width: 64,
      align: "center",
      startsDescending: true,
      key: ({ size }) => Number(size.isPinned),
      text: ({ size }) => (size.isPinned ? "pinned" : ""),
      renderCell: ({ size }) => (size.isPinned ? <Pin aria-label="pinned" width={14} height={14} /> : null),
    },
  ];
}

/** Sorts the rows; ties are sorted by name. */
export function sortSizes(rows: readonly SizeRow[], order: Sort): readonly SizeRow[] {
  return sortRows(rows, columnsAt(0), order, ["name"]);
}

interface SizeTableProps {
  readonly rows: readonly SizeRow[];
  readonly order: Sort;
  readonly onOrder: (order: Sort) => void;
  readonly marked: readonly string[];
  readonly onMark: (stationIds: readonly string[]) => void;
}

/** The size of each station; rows are selected as in the list of stations. */
export function SizeTable({ rows, order, onOrder, marked, onMark }: SizeTableProps) {
  const nowMs = useNowMs();
  const columns = useMemo(() => columnsAt(nowMs), [nowMs]);
  const [anchor, setAnchor] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const ids = rows.map((row) => row.size.stationId);
  const act = (action: RowAction): void => {
    const next = select({ selectedIds: marked, anchor, focused }, action, ids);
    setAnchor(next.anchor);
    setFocused(next.focused);
    if (next.selectedIds !== marked) onMark(next.selectedIds);
  };
  return (
    <Grid
      label="Size by station"
      columns={columns}
      rows={{ count: rows.length, at: (i) => rows[i] ?? null }}
      sort={order}
      onSort={onOrder}
      focus={focused === null ? -1 : ids.indexOf(focused)}
      isSelected={(row) => row !== null && marked.includes(row.size.stationId)}
      idOf={({ size }) => size.stationId}
      isMulti
      press="toggle"
      ticks={<TickAll ids={ids} selectedIds={marked} onSelect={onMark} />}
      maxRows={12}
      onAct={act}
    />
  );
}
