import { defined } from "#shared/defined.ts";
import { addIrregularity, type IrregularityCounts, type ReceivedRows } from "#shared/series/rows.ts";
import {
  SCALAR_VARIABLES,
  type Variable,
  VARIABLE_NAMES,
  variableInfo,
  type VariableKind,
} from "#shared/service/variables.ts";
import { alignInward, isAligned } from "#shared/time/range.ts";
import { emptyRuns } from "#shared/time/runs.ts";
import { byKind } from "../tables/keys.ts";
import type { CommitReport, CoverageJudge, ResponseScope, StationContents } from "../types.ts";
import { type BucketEncoder, createBucketEncoder, type EncodedRows } from "./bucketEncoder.ts";

/** What is known of a station between its blocks. */
interface StationState {
  latestMs: number;
  readonly counts: {
    -readonly [K in "before" | "beyond" | "offGrid" | "distanceMs" | "conflicts"]: StationContents[K];
  };
  readonly encoders: readonly BucketEncoder[];
}

/**
 * Returns a function that calls `accept` for each run of rows (`to` is exclusive) that belong to the scope, in order of
 * arrival, and counts irregularities among them.
 */
function createRowFilter({ range, intervalSeconds }: ResponseScope, irregularities: IrregularityCounts) {
  const { startMs, endMs } = range;
  const onGrid = (time: number): boolean => intervalSeconds === null || isAligned(time, intervalSeconds);
  const inRange = (time: number): boolean => time >= startMs && time < endMs;

  function countRejected(time: number, { counts }: StationState): void {
    addIrregularity(irregularities, inRange(time) ? "offGrid" : "outOfRange");
    if (inRange(time)) {
      counts.offGrid++;
      return;
    }
    if (time < startMs) counts.before++;
    else counts.beyond++;
    counts.distanceMs = Math.min(counts.distanceMs, time < startMs ? startMs - time : time - endMs);
  }

  return ({ timesMs }: ReceivedRows, progress: StationState, accept: (from: number, to: number) => void): void => {
    let unsorted = 0;
    let { latestMs } = progress;
    // First row of the current run of accepted rows.
    let from = 0;
    timesMs.forEach((time, i) => {
      if (inRange(time) && onGrid(time)) {
        if (time < latestMs) unsorted++;
        else latestMs = time;
        return;
      }
      if (i > from) accept(from, i);
      countRejected(time, progress);
      from = i + 1;
    });
    if (timesMs.length > from) accept(from, timesMs.length);
    progress.latestMs = latestMs;
    addIrregularity(irregularities, "unsorted", unsorted);
  };
}

/** Counts values such as 9.97e36 and -9999, by which some services mark a missing value. They are stored as sent. */
function countImplausible({ scalars }: ReceivedRows, from: number, to: number): number {
  let found = 0;
  for (const variable of SCALAR_VARIABLES) {
    const values = scalars[variable];
    if (!values) continue;
    const { min, max } = variableInfo(variable).plausible;
    for (let i = from; i < to; i++) if (values[i]! < min || values[i]! > max) found++;
  }
  return found;
}

/** The chunks of one station by kind; a kind that was not requested is absent. */
export interface StationChunks {
  readonly stationId: string;
  readonly kinds: readonly KindChunks[];
}

interface KindChunks extends Omit<EncodedRows, "conflicts"> {
  readonly kind: VariableKind;
  readonly variables: readonly Variable[];
}

/** Writes the whole response in one transaction; returns the bytes written. */
type CommitResponse = (scope: ResponseScope, stations: readonly StationChunks[], judge: CoverageJudge) => number;

const NO_ROWS: Omit<EncodedRows, "conflicts"> = { chunks: new Map(), times: emptyRuns(), valueTimes: new Map() };

/**
 * Returns the scope in its normal form: each station and variable once and, for averages, whole intervals only, because
 * the mean of a part of an interval must not pass for the mean of the whole.
 */
function normalizeScope(scope: ResponseScope): ResponseScope {
  const { intervalSeconds, raw, range } = scope;
  return {
    intervalSeconds,
    raw,
    range: intervalSeconds === null ? range : alignInward(range, intervalSeconds),
    stationIds: [...new Set(scope.stationIds)],
    variables: VARIABLE_NAMES.filter((v) => scope.variables.includes(v)),
  };
}

/**
 * Collects the rows of one response and commits them together with their coverage in one transaction. Values replace
 * stored ones of the same epoch; stored values that the response lacks stay. Rows outside the scope are counted and left
 * out. Memory stays constant: finished buckets are kept encoded until the commit.
 */
export function createResponseWriter(requested: ResponseScope, commitResponse: CommitResponse) {
  const scope = normalizeScope(requested);
  const kinds = byKind(scope.variables);
  const irregularities: IrregularityCounts = {};
  const filterRows = createRowFilter(scope, irregularities);
  const stateOf = (stationId: string): [string, StationState] => [
    stationId,
    {
      latestMs: -Infinity,
      counts: { before: 0, beyond: 0, offGrid: 0, distanceMs: Infinity, conflicts: 0 },
      encoders: kinds.map(({ kind, variables }) => createBucketEncoder(kind, variables, scope)),
    },
  ];
  const stations = new Map(scope.stationIds.map(stateOf));
  let open = true;
  let finished: readonly StationChunks[] | null = null;

  const finishStation = (stationId: string): StationChunks => {
    const { counts, encoders } = defined(stations.get(stationId));
    const received = kinds.map(({ kind, variables }, i) => {
      const { conflicts, ...rows } = defined(encoders[i]).finish();
      addIrregularity(irregularities, "conflict", conflicts);
      counts.conflicts += conflicts;
      return { kind, variables, ...rows };
    });
    // If most rows are off the grid, the rows on it are not means of its intervals either.
    const isOffGrid = counts.offGrid > rowCount(received[0]);
    return { stationId, kinds: isOffGrid ? received.map((kind) => ({ ...kind, ...NO_ROWS })) : received };
  };

  const finish = (): readonly StationChunks[] => (finished ??= scope.stationIds.map(finishStation));

  const contentsOf = ({ stationId, kinds: own }: StationChunks): StationContents => ({
    stationId,
    ...defined(stations.get(stationId)).counts,
    times: own[0]?.times ?? emptyRuns(),
    valueTimes: new Map(own.flatMap((kind) => [...kind.valueTimes])),
  });

  return {
    add(block: ReceivedRows): void {
      if (!open || finished) throw new Error("rows after the end of a response");
      const state = stations.get(block.stationId);
      if (!state) return addIrregularity(irregularities, "foreignStation", block.timesMs.length);
      filterRows(block, state, (from, to) => {
        addIrregularity(irregularities, "implausible", countImplausible(block, from, to));
        for (const encoder of state.encoders) encoder.append(block, from, to);
      });
    },
    /** Returns what has arrived of each requested station. Nothing may be added afterwards. */
    contents: () => finish().map(contentsOf),
    commit(judge: CoverageJudge): CommitReport {
      if (!open) throw new Error("a response is committed only once");
      const committed = finish();
      const rows = committed.reduce((sum, { kinds: own }) => sum + rowCount(own[0]), 0);
      const bytesWritten = commitResponse(scope, committed, judge);
      open = false;
      stations.clear();
      return { rows, bytesWritten, irregularities };
    },
    abandon(): void {
      open = false;
      finished = null;
      stations.clear();
    },
  };
}

export type ResponseWriter = ReturnType<typeof createResponseWriter>;

function rowCount(received: KindChunks | undefined): number {
  return received?.times.total ?? 0;
}
