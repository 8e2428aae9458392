import type { Joining, PairStatistics, PairsAnswer, Scatter, StationMarks } from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { Pairing } from "#shared/comparison.ts";
import { defined } from "#shared/defined.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Variable } from "#shared/service/variables.ts";
import { differenceStatistics } from "../../../analysis/compare/differences.ts";
import { commonRows } from "../../../analysis/compare/join.ts";
import { findLag, LAG_HOURS } from "../../../analysis/compare/lag.ts";
import { gridMeans } from "../../../analysis/compare/means.ts";
import { pairEpochs, type PairedSeries, reachMs } from "../../../analysis/compare/pairing.ts";
import { scatterOf } from "../../../analysis/compare/shapes.ts";
import { type ComparedSeries, comparedSeries, rowsIn } from "../../../analysis/compare/series.ts";
import type { Pace } from "../../pace.ts";
import { drawnDifferences } from "../drawn.ts";
import { cadenceMs, type CompareQuery, heightsOf, marksOf, maxRows, readMarkedSeries } from "./series.ts";
import type { CacheReader } from "../../../store/index.ts";

interface PairsQuery extends CompareQuery {
  readonly variable: Variable;
  readonly heights: HeightReference;
  readonly referenceId: string;
  readonly joining: Joining;
  readonly columns: number;
}

/** See `compare.pairs`. */
export async function readPairs(
  cache: CacheReader,
  query: PairsQuery,
  pace: Pace,
): Promise<Result<PairsAnswer, AppFault>> {
  const read = await readJoinable(cache, query, pace);
  if (!read.ok) return read;
  const all = read.value;
  const isReference = ({ stationId }: Joinable): boolean => stationId === query.referenceId;
  // The reference is last, so that it is B of all its pairs.
  const ordered = [...all.filter((s) => !isReference(s)), ...all.filter(isReference)];
  const heights = heightsOf(cache, query.stationIds, query.heights);
  const pairs: PairStatistics[] = [];
  const differences: SeriesWindow[] = [];
  for (const [i, a] of ordered.entries()) {
    for (const b of ordered.slice(i + 1)) {
      const [aId, bId] = [a.stationId, b.stationId];
      const { paired, ...way } = pair(a, b, query);
      const [heightA, heightB] = [heights.byId.get(aId) ?? null, heights.byId.get(bId) ?? null];
      pairs.push({
        aId,
        bId,
        ...differenceStatistics(paired.a.values, paired.b.values, paired.stretches),
        rejected: paired.flagged,
        lag: findLag(a.inside, b.inside),
        heightDifference: heightA === null || heightB === null ? null : heightA - heightB,
        ...way,
      });
      if (isReference(b)) differences.push(drawnDifferences({ ...query, stationId: aId }, commonRows(paired)));
      await pace.yieldIfDue();
    }
  }
  const stations = all.map(({ marks }) => marks);
  return success({ pairs, differences, stations, lagHours: LAG_HOURS, heightReference: heights.reference });
}

/** See `compare.scatter`. */
export async function readScatter(
  cache: CacheReader,
  query: CompareQuery & {
    readonly variable: Variable;
    readonly aId: string;
    readonly bId: string;
    readonly joining: Joining;
  },
  pace: Pace,
): Promise<Result<Scatter, AppFault>> {
  const { aId, bId } = query;
  const read = await readJoinable(cache, { ...query, stationIds: [aId, bId] }, pace);
  if (!read.ok) return read;
  const [first, second] = read.value;
  const common = commonRows(pair(defined(first), defined(second), query).paired);
  return success(scatterOf(aId, bId, common.a, common.b));
}

function pair(
  a: Joinable,
  b: Joinable,
  { joining, range }: { readonly joining: Joining; readonly range: TimeRange },
): { readonly paired: PairedSeries; readonly joining: Joining; readonly joinSeconds: number } {
  const intervalMs = Math.max(a.cadenceMs, b.cadenceMs);
  const isMeans = joining === "means" || a.isCoarse;
  const pairing: Pairing = isMeans ? { kind: "mean", intervalMs } : { kind: "nearest", toleranceMs: null };
  const paired = pairEpochs(a.around, b.around, pairing, { range, isOpen: false });
  return {
    paired,
    joining: isMeans ? "means" : "nearest",
    joinSeconds: (isMeans ? intervalMs : paired.withinMs) / 1_000,
  };
}

/** A station whose values are paired with those of others. */
interface Joinable {
  readonly stationId: string;
  readonly marks: StationMarks;
  /** Of the range, and as far outside as partners may be. */
  readonly around: ComparedSeries;
  readonly inside: ComparedSeries;
  readonly cadenceMs: number;
  /** The values are means, because those of all stations are too many. */
  readonly isCoarse: boolean;
}

/** Limit for the values of all stations together; beyond it, they are averaged. */
const MAX_TOTAL_VALUES = 24_000_000;

/** Reads the values of several stations to be paired. If they are too many together, each series is averaged at once. */
async function readJoinable(
  cache: CacheReader,
  query: CompareQuery & { readonly variable: Variable },
  pace: Pace,
): Promise<Result<Joinable[], AppFault>> {
  const { stationIds, variable, range, mode } = query;
  const maxPerStation = MAX_TOTAL_VALUES / stationIds.length;
  const isCoarse = stationIds.some((id) => maxRows(cache, query, id, [variable]) > maxPerStation);
  const coarseMs = Math.max(60_000, Math.ceil((range.endMs - range.startMs) / maxPerStation / 60_000) * 60_000);
  const cellMs = (mode.intervalSeconds ?? 0) * 1_000;
  const outsideMs = reachMs(
    { kind: "mean", intervalMs: Math.max(...stationIds.map((id) => cadenceMs(cache, query, id, variable))) },
    cellMs,
  );
  const found: Joinable[] = [];
  for (const stationId of stationIds) {
    const read = await readMarkedSeries(cache, query, { stationId, variable, outsideMs }, pace);
    if (!read.ok) return read;
    const own = read.value;
    const series = comparedSeries(own, cellMs, query.leavesOut ? own.flags : null);
    const ownMs = isCoarse ? Math.max(coarseMs, own.cadenceMs) : own.cadenceMs;
    const given = isCoarse ? gridMeans(series, ownMs) : series;
    found.push({
      stationId,
      marks: marksOf(own, query),
      around: given,
      inside: rowsIn(given, range),
      cadenceMs: ownMs,
      isCoarse,
    });
    await pace.yieldIfDue();
  }
  return success(found);
}
