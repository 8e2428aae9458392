import { type Variable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "../chunks/bucket.ts";
import type { Db } from "../database/database.ts";
import { catalogueTable } from "../tables/catalogue.ts";
import type { ChunkKey } from "../tables/keys.ts";
import {
  addCovered,
  type Covered,
  type Figures,
  noFigures,
  periodLength,
  registerTable,
  SUM,
  sumAt,
} from "../tables/register.ts";
import { sealedSettingTable } from "../tables/settings.ts";
import { siteTable } from "../tables/sites.ts";
import { verified } from "../tables/verified.ts";

type OfSeries = Omit<ChunkKey, "kind"> & { readonly variable: Variable; readonly bucketMs: UtcMs };

const SERIES = "site, variable, interval_seconds AS interval, raw";

/**
 * Writes the register anew from what lies in the tables, of a file of the form before or one whose rows were copied as
 * they are. Nothing is decoded: whether the rows are sound is another question. Must run in a transaction, or alone.
 */
export function sumUp(db: Db): void {
  db.exec("DELETE FROM register");
  const known = verified(db);
  const sites = siteTable(db, known);
  const register = registerTable(db, sites, known);
  const periods = new Map<string, { readonly key: ChunkKey; readonly periodMs: UtcMs; readonly figures: Figures }>();
  const of = (key: ChunkKey, periodMs: UtcMs): Figures => {
    const name = `${key.site} ${key.kind} ${key.interval} ${key.raw} ${periodMs}`;
    const period = periods.get(name) ?? { key, periodMs, figures: noFigures(key.kind) };
    periods.set(name, period);
    return period.figures;
  };
  const add = ({ site, variable, interval, raw, bucketMs }: OfSeries, sum: number, value: number): void => {
    const kind: VariableKind = variableKind(variable);
    const key = { site, kind, interval, raw };
    of(key, bucketStart(bucketMs, periodLength(key))).sums[sumAt(kind, variable, sum)]! += value;
  };

  const chunks = db.prepare<[], ChunkKey & { bucketMs: number; n: number; checksum: number }>(
    "SELECT site, kind, interval_seconds AS interval, raw, bucket_ms AS bucketMs, n, checksum FROM chunk",
  );
  for (const { bucketMs, n, checksum, ...key } of chunks.iterate()) {
    const figures = of(key, bucketStart(bucketMs, periodLength(key)));
    figures.chunks++;
    figures.rows += n;
    figures.heads += checksum;
  }
  const counts = db.prepare<[], OfSeries & { n: number; weight: number }>(
    `SELECT ${SERIES}, bucket_ms AS bucketMs, n, bucket_ms / 21600000 AS weight
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
  const extents = db.prepare<[], Omit<OfSeries, "bucketMs"> & Covered>(
    `SELECT ${SERIES}, start_ms AS startMs, end_ms AS endMs, fetched_at_ms AS fetchedAtMs FROM extent`,
  );
  for (const row of extents.iterate()) {
    const sums = new Map<UtcMs, number>();
    addCovered(sums, { kind: variableKind(row.variable), interval: row.interval }, [row], 1);
    for (const [bucketMs, sum] of sums) add({ ...row, bucketMs }, SUM.coverage, sum);
  }

  const numbers = new Set(sites.all().map(({ site }) => site));
  for (const { key, periodMs, figures } of periods.values())
    if (numbers.has(key.site)) register.set(key, periodMs, figures);
  catalogueTable(db).seal();
  sealedSettingTable(db).seal();
}
