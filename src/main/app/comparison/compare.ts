import type { ComparedSites, Comparison, PairedValues, SiteMatch } from "#shared/comparison.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { gapsBetween, pairEpochs, type ValueRows } from "../../analysis/collocation/epochs.ts";
import { groupStatistics, overallStatistics } from "../../analysis/collocation/groups.ts";
import { atHeightOfA } from "../../analysis/collocation/heights.ts";
import { matchSites } from "../../analysis/collocation/sites.ts";
import { rejectOutliers, statisticsOf } from "../../analysis/collocation/statistics.ts";
import type { Pace } from "../reading/pace.ts";
import { type ComparisonQuery, methodSentences } from "./method.ts";
import type { Source } from "./sources.ts";

/**
 * Compares two sources, site by site. Differences are A − B.
 *
 * @returns no sites if none match; a usage fault if a height that the correction needs is unknown
 */
export async function compareSources(
  a: Source,
  b: Source,
  query: ComparisonQuery,
  pace: Pace,
): Promise<Result<Comparison, AppFault>> {
  for (const { name, sites } of [a, b])
    if (sites.length === 0) return failure(usageFault(`${name} has no ${query.variable}.`));
  const matches = matchSites(a.sites, b.sites, query);
  const sites: ComparedSites[] = [];
  for (const match of matches) {
    const compared = await comparedSites(a, b, match, query);
    if (!compared.ok) return compared;
    sites.push(compared.value);
    await pace.breathe();
  }
  const isMatched = { a: new Set(matches.map((m) => m.a.id)), b: new Set(matches.map((m) => m.b.id)) };
  return success({
    variable: query.variable,
    range: query.range,
    a: { name: a.name, details: a.details, unmatched: withoutMatch(a, isMatched.a) },
    b: { name: b.name, details: b.details, unmatched: withoutMatch(b, isMatched.b) },
    sites,
    overall: overallStatistics(sites),
    groups: query.groupings.flatMap((by) => groupStatistics(sites, by)),
    method: [...methodSentences(query, sites), ...new Set([...a.method, ...b.method])],
  });
}

function withoutMatch({ sites }: Source, matchedIds: ReadonlySet<string>): string[] {
  return sites.filter((site) => !matchedIds.has(site.id)).map((site) => site.label);
}

async function comparedSites(
  a: Source,
  b: Source,
  match: SiteMatch,
  { variable, range, pairing, rejectSigmas, height }: ComparisonQuery,
): Promise<Result<ComparedSites, AppFault>> {
  const [rowsA, rowsB] = [await a.rows(match.a.id, range), await b.rows(match.b.id, range)];
  if (!rowsA.ok) return rowsA;
  if (!rowsB.ok) return rowsB;
  const paired = pairEpochs(rowsA.value, rowsB.value, pairing);
  const moved = height === "none" ? null : movedToA(paired, match, variable);
  if (moved !== null && !moved.ok) return moved;
  const { kept, rejected } = rejectOutliers(moved?.value.pairs ?? paired, rejectSigmas);
  return success({
    match,
    rowsA: rowCount(rowsA.value),
    rowsB: rowCount(rowsB.value),
    correctionMm: moved?.value.correctionMm ?? null,
    statistics: statisticsOf(kept, rejected),
    gaps: gapsBetween(paired),
    pairs: kept,
  });
}

function movedToA(
  pairs: PairedValues,
  match: SiteMatch,
  variable: ScalarVariable,
): Result<{ readonly pairs: PairedValues; readonly correctionMm: number }, AppFault> {
  if (variable !== "ztd" && variable !== "pwv")
    return failure(usageFault(`Only ztd and pwv can be corrected for height, not ${variable}.`));
  const b = atHeightOfA(pairs.b, match, variable);
  if (b === null)
    return failure(
      usageFault(`The height of ${match.a.label} or ${match.b.label} is unknown: compare without a height correction.`),
    );
  const sum = b.reduce((total, value, i) => total + value - (pairs.b[i] ?? value), 0);
  return success({ pairs: { ...pairs, b }, correctionMm: sum / b.length });
}

function rowCount({ timesMs }: ValueRows): number {
  return timesMs.length;
}
