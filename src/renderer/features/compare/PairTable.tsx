import { ArrowDown, ArrowUp } from "lucide-react";
import { useMemo } from "react";
import { Button } from "react-aria-components";
import type { PairStatistics } from "#shared/bridge/methods/compare.ts";
import { fieldsOf, usePane } from "../../stores/workspace.ts";
import { count, decimal } from "../../ui/text.ts";
import { lagText, plain, signed, signedShort } from "./format.ts";
import { rowMenu } from "./rowMenu.ts";
import { NumberCells, TableBox } from "./TableBox.tsx";
import classes from "./compare.module.css";

const SORT_KEYS = ["pair", "n", "rejected", "bias", "std", "rms", "correlation", "lag", "height"] as const;
type SortKey = (typeof SORT_KEYS)[number];

interface Sorting {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** Sorts pairs. Those without a value come last in either direction; ties keep their order. */
export function sortPairs(
  pairs: readonly PairStatistics[],
  { key, isDescending }: Sorting,
  nameOf: (id: string) => string,
): PairStatistics[] {
  if (key === "pair") {
    const names = new Intl.Collator("en", { numeric: true });
    const name = (pair: PairStatistics): string => `${nameOf(pair.aId)} ${nameOf(pair.bId)}`;
    return pairs.toSorted((a, b) => names.compare(name(a), name(b)) * (isDescending ? -1 : 1));
  }
  return pairs.toSorted((a, b) => {
    const [x, y] = [NUMBERS[key](a), NUMBERS[key](b)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return isDescending ? y - x : x - y;
  });
}

const NUMBERS: Readonly<Record<Exclude<SortKey, "pair">, (pair: PairStatistics) => number>> = {
  n: (pair) => pair.n,
  rejected: (pair) => pair.rejected,
  bias: (pair) => pair.biasMm,
  std: (pair) => pair.stdMm,
  rms: (pair) => pair.rmsMm,
  correlation: (pair) => pair.correlation,
  lag: (pair) => pair.lag?.seconds ?? Number.NaN,
  height: (pair) => pair.heightDifference ?? Number.NaN,
};

/** Headings with the unit on a second line, so that all columns fit in a window of 1024 px. */
const HEADS: Readonly<Record<SortKey, readonly [string, string?]>> = {
  pair: ["A − B"],
  n: ["n"],
  rejected: ["Rejected"],
  bias: ["Bias", "mm"],
  std: ["Std", "mm"],
  rms: ["RMS", "mm"],
  correlation: ["Corr."],
  lag: ["Lag of B", "min (r)"],
  height: ["Height", "m"],
};

interface PairTableProps {
  readonly pairs: readonly PairStatistics[];
  readonly shown: PairStatistics | null;
  readonly lagHours: number;
  readonly nameOf: (id: string) => string;
  readonly onShow: (pair: PairStatistics) => void;
}

/** All pairs of stations. Clicking a heading sorts, clicking a pair shows it in the scatter plot. */
export function PairTable({ pairs, shown, lagHours, nameOf, onShow }: PairTableProps) {
  const [sorting, setSorting] = usePane("compare.sorting", readSorting);
  const { key, isDescending } = sorting;
  const rows = useMemo(() => sortPairs(pairs, { key, isDescending }, nameOf), [pairs, key, isDescending, nameOf]);
  const menu = rowMenu(
    rows.map((pair) => {
      const label = `${nameOf(pair.aId)} − ${nameOf(pair.bId)}`;
      return {
        label,
        cells: [label, ...cellsOf(pair, lagHours)],
        stationIds: [pair.aId, pair.bId],
        first: [{ id: "scatter", label: "Show as scatter plot", onAction: () => onShow(pair) }],
      };
    }),
  );
  return (
    <TableBox
      label="Table of pairs"
      narrow="pairs"
      menu={menu}
      head={SORT_KEYS.map((head) => (
        <th
          key={head}
          scope="col"
          className={head === "pair" ? undefined : classes["number"]}
          aria-sort={head !== key ? "none" : isDescending ? "descending" : "ascending"}
        >
          <Button
            className={classes["head"]}
            onPress={() => setSorting({ key: head, isDescending: head === key ? !isDescending : head !== "pair" })}
          >
            <HeadText head={head} />
            {head !== key ? null : isDescending ? <ArrowDown aria-hidden /> : <ArrowUp aria-hidden />}
          </Button>
        </th>
      ))}
    >
      {rows.map((pair, place) => (
        <tr key={`${pair.aId} ${pair.bId}`} data-row={place} data-chosen={pair === shown || undefined}>
          <th scope="row">
            <Button className={classes["choose"]} aria-pressed={pair === shown} onPress={() => onShow(pair)}>
              {nameOf(pair.aId)} − {nameOf(pair.bId)}
            </Button>
          </th>
          <NumberCells cells={cellsOf(pair, lagHours)} columns={SORT_KEYS.slice(1)} />
        </tr>
      ))}
    </TableBox>
  );
}

function HeadText({ head }: { readonly head: SortKey }) {
  const [text, unit] = HEADS[head];
  return (
    <span title={head === "correlation" ? "Correlation" : undefined}>
      {text}
      {unit ? (
        <>
          {" "}
          <span className={classes["unit"]}>{unit}</span>
        </>
      ) : null}
    </span>
  );
}

function cellsOf(pair: PairStatistics, lagHours: number): string[] {
  return [
    count(pair.n),
    count(pair.rejected),
    signed(pair.biasMm),
    plain(pair.stdMm),
    plain(pair.rmsMm),
    decimal(pair.correlation, 3),
    lagText(pair, lagHours),
    pair.heightDifference === null ? "–" : signedShort(pair.heightDifference),
  ];
}

function readSorting(kept: unknown): Sorting {
  const { key, isDescending } = fieldsOf(kept);
  const known = SORT_KEYS.find((k) => k === key);
  return known ? { key: known, isDescending: isDescending === true } : { key: "rms", isDescending: true };
}
