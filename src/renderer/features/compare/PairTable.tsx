import { NO_VALUE } from "#shared/text.ts";
import { useMemo } from "react";
import { Button } from "react-aria-components";
import type { PairStatistics } from "#shared/bridge/methods/compare.ts";
import { numberColumn, sortRows, sortSchema, type TableColumn } from "../../ui/grid/columns.ts";
import { Table } from "../../ui/grid/Table.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { count, decimal } from "../../ui/text.ts";
import { FIRST_ROWS, lagText, twoDecimals, signed, signedShort } from "./format.ts";
import { openRowMenu } from "./rowMenu.ts";
import { pane, usePane } from "../../stores/pane.ts";

type Pair = PairStatistics;
type Heads = readonly [title: string, unit?: string];

/** A column of numbers, which starts with the largest. The unit is on a second line, so that all columns fit in 1024 px. */
function pairColumn(id: string, heads: Heads, key: (pair: Pair) => number | null, write: (value: number) => string) {
  const text = (pair: Pair): string => {
    const value = key(pair);
    return value === null ? NO_VALUE : write(value);
  };
  return { ...numberColumn(id, heads, text), key, startsDescending: true };
}

/** The columns of the table of pairs. */
export function pairColumns(nameOf: (id: string) => string, lagHours: number): readonly TableColumn<Pair>[] {
  const nameOfPair = (pair: Pair): string => `${nameOf(pair.aId)} − ${nameOf(pair.bId)}`;
  const correlation = pairColumn(
    "correlation",
    ["Corr."],
    (p) => p.correlation,
    (r) => decimal(r, 3),
  );
  const lag = pairColumn("lag", ["Lag of B", "min (r)"], (p) => p.lag?.seconds ?? null, String);
  return [
    { id: "pair", title: "A − B", isHeading: true, isSticky: true, key: nameOfPair, text: nameOfPair },
    pairColumn("n", ["n"], (p) => p.n, count),
    pairColumn("rejected", ["Rejected"], (p) => p.rejected, count),
    pairColumn("bias", ["Bias", "mm"], (p) => p.biasMm, signed),
    pairColumn("std", ["Std", "mm"], (p) => p.stdMm, twoDecimals),
    pairColumn("rms", ["RMS", "mm"], (p) => p.rmsMm, twoDecimals),
    { ...correlation, meaning: "Correlation" },
    { ...lag, text: (p) => lagText(p, lagHours) },
    pairColumn("height", ["Height", "m"], (p) => p.heightDifference, signedShort),
  ];
}

const SORT = pane("compare.sorting", sortSchema(pairColumns(String, 0), { column: "rms", isDescending: true }));

interface PairTableProps {
  readonly pairs: readonly Pair[];
  readonly shown: Pair | null;
  readonly lagHours: number;
  readonly nameOf: (id: string) => string;
  readonly onShow: (pair: Pair) => void;
}

/** All pairs of stations. Clicking a heading sorts, clicking a pair shows it in the scatter plot. */
export function PairTable({ pairs, shown, lagHours, nameOf, onShow }: PairTableProps) {
  const columns = useMemo(() => pairColumns(nameOf, lagHours), [nameOf, lagHours]);
  const [sort, setSort] = usePane(SORT);
  const rows = useMemo(() => sortRows(pairs, columns, sort), [pairs, columns, sort]);
  const [first, ...others] = columns;
  const nameColumn: TableColumn<Pair> = {
    ...first!,
    renderCell: (pair) => (
      <Button
        className="flex max-w-full h-6 items-center p-0 border-0 bg-transparent text-inherit cursor-default data-hovered:underline"
        aria-pressed={pair === shown}
        onPress={() => onShow(pair)}
      >
        <MiddleCut text={first!.text(pair) ?? ""} />
      </Button>
    ),
  };
  return (
    <Table
      label="Table of pairs"
      columns={[nameColumn, ...others]}
      rows={rows}
      keyOf={({ aId, bId }) => `${aId} ${bId}`}
      sort={sort}
      onSort={setSort}
      isChosen={(pair) => pair === shown}
      firstRows={FIRST_ROWS}
      onMenu={(pair, at) =>
        openRowMenu(
          {
            cells: columns.map(({ text }) => text(pair) ?? ""),
            stationIds: [pair.aId, pair.bId],
            first: [{ id: "scatter", label: "Show as scatter plot", onAction: () => onShow(pair) }],
          },
          at,
        )
      }
    />
  );
}
