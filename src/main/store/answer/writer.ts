import { addAnomaly, type AnomalyCounts } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES, type VariableKind, variableKind } from "#shared/service/variables.ts";
import { alignInward } from "#shared/time/interval.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { decodeTimes, type EncodedChunk } from "../chunks/chunk.ts";
import type { AnswerFinality, AnswerReport, AnswerScope, AnswerWriter, StationContents } from "../types.ts";
import { arrivalCheck, type ArrivalState } from "./arrivals.ts";
import { type BucketSorter, bucketSorter, type SortedRows } from "./buckets.ts";

/** What one station brought: its chunks by kind and bucket; a kind that was not asked for is absent. */
export interface StationArrivals {
  readonly stationId: string;
  readonly kinds: readonly KindArrivals[];
}

export interface KindArrivals {
  readonly kind: VariableKind;
  readonly variables: readonly Variable[];
  readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>;
  /** Variables of which any row has a value. */
  readonly valued: ReadonlySet<Variable>;
}

/** Writes the whole answer in one transaction; returns the bytes written. */
export type CommitAnswer = (
  scope: AnswerScope,
  arrivals: readonly StationArrivals[],
  finality: AnswerFinality,
) => number;

const NO_ROWS: SortedRows = { chunks: new Map(), conflicts: 0, valued: new Set() };

interface StationState extends ArrivalState {
  readonly sorters: readonly { readonly kind: VariableKind; readonly sorter: BucketSorter }[];
}

/**
 * The scope of an answer in the form that everything below relies on: each station and variable once, and in an interval
 * mode only whole intervals, because the mean of a part of one must not pass for the whole.
 */
export function normalizeScope(scope: AnswerScope): AnswerScope {
  const { intervalSeconds, raw, range } = scope;
  return {
    intervalSeconds,
    raw,
    range: intervalSeconds === null ? range : alignInward(range, intervalSeconds),
    stationIds: [...new Set(scope.stationIds)],
    variables: VARIABLE_NAMES.filter((v) => scope.variables.includes(v)),
  };
}

export function openWriter(asked: AnswerScope, commitAnswer: CommitAnswer): AnswerWriter {
  const scope = normalizeScope(asked);
  const kinds = (["scalar", "satellite"] as const)
    .map((kind) => ({ kind, variables: scope.variables.filter((v) => variableKind(v) === kind) }))
    .filter(({ variables }) => variables.length > 0);
  const anomalies: AnomalyCounts = {};
  const check = arrivalCheck(scope, anomalies);
  const expected = new Set(scope.stationIds);
  let stations = new Map<string, StationState>();
  let open = true;
  let foreignRows = 0;
  let finished: readonly StationArrivals[] | null = null;

  const stateOf = (stationId: string): StationState => {
    const known = stations.get(stationId);
    if (known) return known;
    const state = {
      latestMs: -Infinity,
      outside: 0,
      offGrid: 0,
      sorters: kinds.map(({ kind, variables }) => ({ kind, sorter: bucketSorter(kind, variables, scope) })),
    };
    stations.set(stationId, state);
    return state;
  };

  const finishStation = (stationId: string): StationArrivals => {
    const state = stations.get(stationId);
    const sorters = state?.sorters;
    const arrived = kinds.map(({ kind, variables }, i) => {
      const sorted = sorters?.[i]?.sorter.finish() ?? NO_ROWS;
      addAnomaly(anomalies, "conflict", sorted.conflicts);
      return { kind, variables, chunks: sorted.chunks, valued: sorted.valued };
    });
    // Where most rows are off the grid, those on it are no means of its intervals either.
    const isOffGrid = (state?.offGrid ?? 0) > rowsOf(arrived[0]);
    return { stationId, kinds: isOffGrid ? arrived.map((kind) => ({ ...kind, ...NO_ROWS })) : arrived };
  };

  const finish = (): readonly StationArrivals[] => (finished ??= scope.stationIds.map(finishStation));

  const contentsOf = ({ stationId, kinds: own }: StationArrivals): StationContents => ({
    stationId,
    rows: rowsOf(own[0]),
    valued: new Set(own.flatMap((kind) => [...kind.valued])),
    outside: stations.get(stationId)?.outside ?? 0,
    offGrid: stations.get(stationId)?.offGrid ?? 0,
    timesMs: () => {
      const chunks = [...(own[0]?.chunks.values() ?? [])].toSorted((a, b) => a.bucketMs - b.bucketMs);
      return Float64Array.from(chunks.flatMap((chunk) => [...decodeTimes(chunk)]));
    },
  });

  const close = (): void => {
    if (!open) throw new Error("an answer takes rows and is committed only once");
    open = false;
  };

  return {
    add(block) {
      if (!open || finished) throw new Error("rows after the end of an answer");
      if (!expected.has(block.stationId)) {
        foreignRows += block.timesMs.length;
        addAnomaly(anomalies, "foreignStation", block.timesMs.length);
        return;
      }
      const state = stateOf(block.stationId);
      check.inspect(block, state, (from, to) => {
        for (const { sorter } of state.sorters) sorter.append(block, from, to);
      });
    },
    contents() {
      const arrivals = finish();
      return { stations: arrivals.map(contentsOf), foreignRows };
    },
    commit(finality): AnswerReport {
      close();
      const arrivals = finish();
      stations = new Map();
      const rows = arrivals.reduce((sum, { kinds }) => sum + rowsOf(kinds[0]), 0);
      return { rows, bytesWritten: commitAnswer(scope, arrivals, finality), anomalies };
    },
    abandon() {
      open = false;
      finished = null;
      stations = new Map();
    },
  };
}

function rowsOf(arrivals: KindArrivals | undefined): number {
  let rows = 0;
  for (const chunk of arrivals?.chunks.values() ?? []) rows += chunk.rows;
  return rows;
}
