import { addIrregularity, type IrregularityCounts, type ReceivedRows } from "#shared/series/rows.ts";
import { type Variable, VARIABLE_NAMES, type VariableKind, variableKind } from "#shared/service/variables.ts";
import { alignInward, durationMs, isAligned } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { decodeTimes, type EncodedChunk } from "../chunks/chunk.ts";
import type { CommitReport, ResponseFinality, ResponseScope, ResponseWriter, StationContents } from "../types.ts";
import { type BucketEncoder, createBucketEncoder, type EncodedRows } from "./bucketEncoder.ts";

/** What the filter keeps of a station between its blocks. */
interface StationProgress {
  latestMs: number;
  /** Rows outside the range, without those just beyond its ends. */
  outside: number;
  /** Rows off the grid of the interval. */
  offGrid: number;
  /** Rows at the end of the range, which it does not include. */
  atEnd: number;
}

/**
 * Services may round a range or include its end. Rows this close to the range are no sign that the response is for
 * another range: if it were shifted by so little, most of its rows would still be inside.
 */
const MAX_OVERHANG_MS = 600_000;

/**
 * Returns a function that calls `accept` for each run of rows (`to` is exclusive) that belong to the scope, in order of
 * arrival, and counts irregularities among them.
 */
function createRowFilter(scope: ResponseScope, irregularities: IrregularityCounts) {
  const { startMs, endMs } = scope.range;
  const { intervalSeconds } = scope;
  const overhang = Math.min(MAX_OVERHANG_MS, durationMs(scope.range) / 4);
  const onGrid = (time: number): boolean => intervalSeconds === null || isAligned(time, intervalSeconds);
  const inRange = (time: number): boolean => time >= startMs && time < endMs;

  function countRejected(time: number, progress: StationProgress): void {
    if (inRange(time)) {
      addIrregularity(irregularities, "offGrid");
      progress.offGrid++;
      return;
    }
    addIrregularity(irregularities, "outOfRange");
    if (time === endMs) progress.atEnd++;
    if (time < startMs - overhang || time > endMs + overhang) progress.outside++;
  }

  return ({ timesMs }: ReceivedRows, progress: StationProgress, accept: (from: number, to: number) => void): void => {
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

/** The chunks of one station by kind; a kind that was not requested is absent. */
export interface StationChunks {
  readonly stationId: string;
  readonly kinds: readonly KindChunks[];
}

export interface KindChunks {
  readonly kind: VariableKind;
  readonly variables: readonly Variable[];
  readonly chunks: ReadonlyMap<UtcMs, EncodedChunk>;
  /** Variables with a value in any row. */
  readonly valued: ReadonlySet<Variable>;
}

/** Writes the whole response in one transaction; returns the bytes written. */
type CommitResponse = (scope: ResponseScope, stations: readonly StationChunks[], finality: ResponseFinality) => number;

const NO_ROWS: EncodedRows = { chunks: new Map(), conflicts: 0, valued: new Set() };

interface StationState extends StationProgress {
  conflicts: number;
  readonly encoders: readonly { readonly kind: VariableKind; readonly encoder: BucketEncoder }[];
}

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

function chunksInOrder(own: KindChunks | undefined): readonly EncodedChunk[] {
  return [...(own?.chunks.values() ?? [])].toSorted((a, b) => a.bucketMs - b.bucketMs);
}

export function createResponseWriter(requested: ResponseScope, commitResponse: CommitResponse): ResponseWriter {
  const scope = normalizeScope(requested);
  const kinds = (["scalar", "satellite"] as const)
    .map((kind) => ({ kind, variables: scope.variables.filter((v) => variableKind(v) === kind) }))
    .filter(({ variables }) => variables.length > 0);
  const irregularities: IrregularityCounts = {};
  const filterRows = createRowFilter(scope, irregularities);
  const expected = new Set(scope.stationIds);
  let stations = new Map<string, StationState>();
  let open = true;
  let foreignRows = 0;
  let finished: readonly StationChunks[] | null = null;

  const progressOf = (stationId: string): StationState => {
    const known = stations.get(stationId);
    if (known) return known;
    const state = {
      latestMs: -Infinity,
      outside: 0,
      offGrid: 0,
      atEnd: 0,
      conflicts: 0,
      encoders: kinds.map(({ kind, variables }) => ({ kind, encoder: createBucketEncoder(kind, variables, scope) })),
    };
    stations.set(stationId, state);
    return state;
  };

  const finishStation = (stationId: string): StationChunks => {
    const state = stations.get(stationId);
    const received = kinds.map(({ kind, variables }, i) => {
      const { chunks, conflicts, valued } = state?.encoders[i]?.encoder.finish() ?? NO_ROWS;
      addIrregularity(irregularities, "conflict", conflicts);
      if (state) state.conflicts += conflicts;
      return { kind, variables, chunks, valued };
    });
    // If most rows are off the grid, the rows on it are no means of its intervals either.
    const isOffGrid = (state?.offGrid ?? 0) > rowsOf(received[0]);
    return { stationId, kinds: isOffGrid ? received.map((kind) => ({ ...kind, ...NO_ROWS })) : received };
  };

  const finish = (): readonly StationChunks[] => (finished ??= scope.stationIds.map(finishStation));

  const contentsOf = ({ stationId, kinds: own }: StationChunks): StationContents => ({
    stationId,
    rows: rowsOf(own[0]),
    valued: new Set(own.flatMap((kind) => [...kind.valued])),
    outside: stations.get(stationId)?.outside ?? 0,
    offGrid: stations.get(stationId)?.offGrid ?? 0,
    atEnd: stations.get(stationId)?.atEnd ?? 0,
    conflicts: stations.get(stationId)?.conflicts ?? 0,
    span: () => {
      const chunks = chunksInOrder(own[0]);
      const [first, last] = [chunks[0], chunks.at(-1)];
      if (!first || !last) return null;
      return { firstMs: decodeTimes(first)[0] ?? NaN, lastMs: decodeTimes(last).at(-1) ?? NaN };
    },
    timesMs: () => Float64Array.from(chunksInOrder(own[0]).flatMap((chunk) => [...decodeTimes(chunk)])),
  });

  const close = (): void => {
    if (!open) throw new Error("a response is committed only once");
    open = false;
  };

  return {
    add(block) {
      if (!open || finished) throw new Error("rows after the end of a response");
      if (!expected.has(block.stationId)) {
        foreignRows += block.timesMs.length;
        addIrregularity(irregularities, "foreignStation", block.timesMs.length);
        return;
      }
      const progress = progressOf(block.stationId);
      filterRows(block, progress, (from, to) => {
        for (const { encoder } of progress.encoders) encoder.append(block, from, to);
      });
    },
    contents() {
      return { stations: finish().map(contentsOf), foreignRows };
    },
    commit(finality): CommitReport {
      close();
      const committed = finish();
      stations = new Map();
      const rows = committed.reduce((sum, { kinds: own }) => sum + rowsOf(own[0]), 0);
      return { rows, bytesWritten: commitResponse(scope, committed, finality), irregularities };
    },
    abandon() {
      open = false;
      finished = null;
      stations = new Map();
    },
  };
}

function rowsOf(received: KindChunks | undefined): number {
  let rows = 0;
  for (const chunk of received?.chunks.values() ?? []) rows += chunk.rows;
  return rows;
}
