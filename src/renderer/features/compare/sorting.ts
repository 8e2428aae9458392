import type { PairFigures } from "#shared/bridge/methods/compare.ts";

export const SORT_KEYS = ["pair", "n", "rejected", "bias", "std", "rms", "correlation", "lag", "height"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sorting {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

/** Sorts pairs. Those without a value come last in either direction; ties keep their order. */
export function sortPairs(
  pairs: readonly PairFigures[],
  { key, isDescending }: Sorting,
  nameOf: (id: string) => string,
): PairFigures[] {
  if (key === "pair") {
    const names = new Intl.Collator("en", { numeric: true });
    const name = (pair: PairFigures): string => `${nameOf(pair.aId)} ${nameOf(pair.bId)}`;
    return pairs.toSorted((a, b) => names.compare(name(a), name(b)) * (isDescending ? -1 : 1));
  }
  return pairs.toSorted((a, b) => {
    const [x, y] = [figureOf(a, key), figureOf(b, key)];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return isDescending ? y - x : x - y;
  });
}

function figureOf(pair: PairFigures, key: Exclude<SortKey, "pair">): number {
  switch (key) {
    case "n":
      return pair.n;
    case "rejected":
      return pair.rejected;
    case "bias":
      return pair.biasMm;
    case "std":
      return pair.stdMm;
    case "rms":
      return pair.rmsMm;
    case "correlation":
      return pair.correlation;
    case "lag":
      return pair.lag?.seconds ?? Number.NaN;
    case "height":
      return pair.heightDifference ?? Number.NaN;
  }
}
