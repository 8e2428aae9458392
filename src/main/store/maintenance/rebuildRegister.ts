import { type Variable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../chunks/bucket.ts";
import type { Extent } from "../chunks/coverage.ts";
import type { Db } from "../database/database.ts";
import { catalogueTable } from "../tables/catalogue.ts";
import type { ChunkKey } from "../tables/keys.ts";
import {
  addSum,
  emptyTotals,
  extentSums,
  periodLength,
  type PeriodTotals,
  QUARTER_MS,
  SUM,
  sumIndex,
} from "../tables/periodTotals.ts";
import { registerTable } from "../tables/register.ts";
import { sealedSettingTable } from "../tables/settings.ts";
import { createVerifiedRanges, siteTable } from "../tables/sites.ts";

type OfSeries = Omit<ChunkKey, "kind"> & { readonly variable: Variable; readonly bucketMs: UtcMs };

const SERIES = "site, variable, interval_seconds AS interval, raw";

/**
 * Rebuilds the register from the tables, for a file of the previous format or one with copied rows. Decodes nothing: it
 * does not tell whether the rows are sound. Must run in a transaction, or as the only user of the file.
 */
export function rebuildRegister(db: Db): void {
  db.exec("DELETE FROM register");
  const verified = createVerifiedRanges(db);
  const sites = siteTable(db, verified);
  const register = registerTable(db, sites, verified);
  const periods = new Map<
    string,
    { readonly key: ChunkKey; readonly periodMs: UtcMs; readonly totals: PeriodTotals }
  >();
  const totalsOf = (key: ChunkKey, periodMs: UtcMs): PeriodTotals => {
    const name = `${key.site} ${key.kind} ${key.interval} ${key.raw} ${periodMs}`;
    const period = periods.get(name) ?? { key, periodMs, totals: emptyTotals(key.kind) };
    periods.set(name, period);
    return period.totals;
  };
  const add = ({ site, variable, interval, raw, bucketMs }: OfSeries, sum: number, value: number): void => {
    const kind: VariableKind = variableKind(variable);
    const key = { site, kind, interval, raw };
    addSum(totalsOf(key, bucketStart(bucketMs, periodLength(key))), sumIndex(kind, variable, sum), value);
  };

  const chunks = db.prepare<[], ChunkKey & { bucketMs: number; n: number; checksum: number }>(
    "SELECT site, kind, interval_seconds AS interval, raw, bucket_ms AS bucketMs, n, checksum FROM chunk",
  );
  for (const { bucketMs, n, checksum, ...key } of chunks.iterate()) {
    const totals = totalsOf(key, bucketStart(bucketMs, periodLength(key)));
    totals.chunks++;
    totals.rows += n;
    totals.heads += checksum;
  }
  const counts = db.prepare<[], OfSeries & { n: number; weight: number }>(
    `SELECT ${SERIES}, bucket_ms AS bucketMs, n, bucket_ms / ${QUARTER_MS} AS weight
     FROM chunk_column INDEXED BY chunk_column_count`,
  );
  for (const row of counts.iterate()) {
    add(row, SUM.values, row.n);
    add(row, SUM.weighted, row.n * row.weight);
  }
  const pyramids = db.prepare<[], OfSeries & { checksum: number }>(
    `SELECT ${SERIES}, bucket_ms AS bucketMs, checksum FROM pyramid`,
  );
  for (const row of pyramids.iterate()) add(row, SUM.pyramids, row.checksum);
  const extents = db.prepare<[], Omit<OfSeries, "bucketMs"> & Extent>(
    `SELECT ${SERIES}, start_ms AS startMs, end_ms AS endMs, fetched_at_ms AS fetchedAtMs FROM extent`,
  );
  for (const row of extents.iterate()) {
    const sums = extentSums({ kind: variableKind(row.variable), interval: row.interval }, [row]);
    for (const [bucketMs, sum] of sums) add({ ...row, bucketMs }, SUM.coverage, sum);
  }

  const numbers = new Set(sites.all().map(({ site }) => site));
  for (const { key, periodMs, totals } of periods.values())
    if (numbers.has(key.site)) register.set(key, periodMs, totals);
  catalogueTable(db).seal();
  sealedSettingTable(db).seal();
}
