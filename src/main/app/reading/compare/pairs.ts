import type { Joining, PairStatistics, PairsAnswer, Scatter } from "#shared/bridge/methods/compare.ts";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import { defined } from "#shared/defined.ts";
import type { AppFault } from "#shared/fault.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { Variable } from "#shared/service/variables.ts";
import { differenceStatistics } from "../../../analysis/compare/differences.ts";
import { commonRows, joinNearest, toleranceMs } from "../../../analysis/compare/join.ts";
import { findLag, LAG_HOURS } from "../../../analysis/compare/lag.ts";
import { cachedMeans, meansOf, wholeMeans } from "../../../analysis/compare/means.ts";
import { scatterOf } from "../../../analysis/compare/scatter.ts";
import type { ComparedSeries, Joined } from "../../../analysis/compare/series.ts";
import type { Pace } from "../../pacing.ts";
import { drawnDifference, heightsOf } from "./drawn.ts";
import { type CompareQuery, type Joinable, readJoinable } from "./series.ts";
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
  const read = await readJoinable(cache, query, query.variable, pace);
  if (!read.ok) return read;
  const all = read.value;
  const isReference = ({ series }: Joinable): boolean => series.stationId === query.referenceId;
  // The reference is last, so that it is B of all its pairs.
  const ordered = [...all.filter((s) => !isReference(s)), ...all.filter(isReference)];
  const heights = heightsOf(cache, query.stationIds, query.heights);
  const means = cachedMeans();
  const pairs: PairStatistics[] = [];
  const differences: SeriesWindow[] = [];
  for (const [i, first] of ordered.entries()) {
    for (const second of ordered.slice(i + 1)) {
      const { joined, a, b, ...way } = join(first, second, query, means);
      const [heightA, heightB] = [heights.byId.get(a.stationId) ?? null, heights.byId.get(b.stationId) ?? null];
      pairs.push({
        aId: a.stationId,
        bId: b.stationId,
        ...differenceStatistics(a.values, b.values, joined.stretches),
        rejected: joined.rejected,
        lag: findLag(a, b, query.leavesOut, means),
        heightDifference: heightA === null || heightB === null ? null : heightA - heightB,
        ...way,
      });
      if (isReference(second)) {
        differences.push(drawnDifference(a, b, joined, query));
      }
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
  const read = await readJoinable(cache, { ...query, stationIds: [aId, bId] }, query.variable, pace);
  if (!read.ok) return read;
  const [first, second] = read.value;
  const { joined, a, b } = join(defined(first), defined(second), query, meansOf);
  const common = commonRows(a, b, joined);
  return success(scatterOf(aId, bId, common.a, common.b));
}

interface JoinedPair {
  readonly joined: Joined;
  readonly a: ComparedSeries;
  readonly b: ComparedSeries;
  readonly joining: Joining;
  readonly joinSeconds: number;
}

function join(
  first: Joinable,
  second: Joinable,
  query: { readonly joining: Joining; readonly leavesOut: boolean; readonly range: TimeRange },
  means: typeof meansOf,
): JoinedPair {
  const isMeans = query.joining === "means" || first.isCoarse;
  const stepMs = Math.max(first.series.stepMs, second.series.stepMs);
  const [a, b] = [first, second].map(({ series }) =>
    isMeans ? wholeMeans(means(series, stepMs), series, query.range) : series,
  ) as [ComparedSeries, ComparedSeries];
  return {
    joined: joinNearest(a, b, query.leavesOut),
    a,
    b,
    joining: isMeans ? "means" : "nearest",
    joinSeconds: (isMeans ? stepMs : toleranceMs(a, b)) / 1000,
  };
}
