import { type Comparison, type Site, withoutPairs } from "#shared/comparison.ts";
import type { PressureChoice, ProductComparison } from "#shared/bridge/methods/products.ts";
import type { ReadMode } from "#shared/bridge/methods/words.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { joined } from "../../analysis/collocation/groups.ts";
import { differencesOf } from "../../analysis/collocation/statistics.ts";
import { scatterOf } from "../../analysis/compare/scatter.ts";
import type { App } from "../application.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { createPace, type Pace } from "../reading/pace.ts";
import { drawn } from "../reading/compare/drawn.ts";
import { compareSources } from "./compare.ts";
import type { ComparisonQuery } from "./method.ts";
import { derivedPwv, noPlaceForPwv, type Pressure } from "./derivedPwv.ts";
import { cacheSource, type FileContent, fileSource, pressureSource, type Source } from "./sources.ts";

export interface ProductQuery extends Omit<ComparisonQuery, "chosen" | "groupings"> {
  /** null: A are the stations. */
  readonly fileIdA: string | null;
  readonly fileId: string;
  readonly stationIds: readonly string[];
  readonly mode: ReadMode;
  readonly pressure: PressureChoice;
}

type Reader = Pick<App, "files" | "rows" | "siteMatches">;

/** Lines of more sites are a plot that nobody reads. */
const MOST_LINES = 20;

/** See `products.compare`. */
export async function compareProduct(
  app: Reader,
  connection: OpenConnection,
  query: ProductQuery & { readonly columns: number },
  signal: AbortSignal,
): Promise<Result<ProductComparison, AppFault>> {
  const sources = sourcesOf(app, connection, query, signal);
  if (!sources.ok) return sources;
  const { a, b } = sources.value;
  const compared = await comparedProduct(app, sources.value, { ...query, groupings: [] }, createPace(signal));
  if (!compared.ok) return compared;
  const { sites, ...rest } = compared.value;
  return success({
    ...rest,
    sites: sites.map(withoutPairs),
    fileSites: b.sites,
    differences: sites
      .slice(0, MOST_LINES)
      .map(({ match, pairs }) => drawn(match.a.id, query.variable, pairs.timesMs, differencesOf(pairs), query)),
    scatter: scatterOf(a.name, b.name, joined(sites.map((s) => s.pairs.a)), joined(sites.map((s) => s.pairs.b))),
  });
}

/** The comparison with its pairs. */
export async function comparedProduct(
  { siteMatches }: Pick<App, "siteMatches">,
  { a, b }: Sources,
  query: Omit<ComparisonQuery, "chosen">,
  pace: Pace,
): Promise<Result<Comparison, AppFault>> {
  return compareSources(a, b, { ...query, chosen: siteMatches.chosen(a.sites, b.sites) }, pace);
}

export interface Sources {
  readonly a: Source;
  readonly b: Source;
}

/** The stations of a connection or the sites of an opened file, and the sites of another opened file. */
export function sourcesOf(
  app: Pick<App, "files" | "rows">,
  connection: OpenConnection,
  query: Pick<ProductQuery, "fileIdA" | "fileId" | "stationIds" | "variable" | "mode" | "pressure">,
  signal: AbortSignal,
): Result<Sources, AppFault> {
  const { fileIdA, fileId } = query;
  const a =
    fileIdA === null ? success(stationSource(app, connection, query)) : openedSource(app, fileIdA, query, signal);
  if (!a.ok) return a;
  const b = openedSource(app, fileId, query, signal);
  return b.ok ? success({ a: a.value, b: b.value }) : b;
}

function stationSource(
  { rows }: Pick<App, "rows">,
  connection: OpenConnection,
  { stationIds, variable, mode }: Pick<ProductQuery, "stationIds" | "variable" | "mode">,
): Source {
  const { cache, record } = connection;
  return cacheSource({
    name: record.name,
    details: [`Cache of ${record.baseUrl}`],
    stations: stationIds.flatMap((id) => cache.station(id) ?? []),
    variable,
    read: (stationId, range) => rows(connection, { ...mode, range }, stationId, [variable]),
  });
}

function openedSource(
  app: Pick<App, "files">,
  fileId: string,
  { variable, pressure }: Pick<ProductQuery, "variable" | "pressure">,
  signal: AbortSignal,
): Result<Source, AppFault> {
  const content = contentOf(app, fileId, signal);
  if (!content.ok) return content;
  const own = fileSource(content.value, variable);
  if (own.sites.length > 0 || variable !== "pwv" || pressure === null) return success(own);
  const delays = fileSource(content.value, "ztd");
  if (delays.sites.length === 0) return success(own);
  const known = pressureOf(app, pressure, signal);
  if (!known.ok) return known;
  const derived = derivedPwv(delays, known.value);
  if (derived.sites.length > 0) return success(derived);
  return failure(usageFault(noPlaceForPwv(own.name)));
}

function pressureOf(
  app: Pick<App, "files">,
  choice: NonNullable<PressureChoice>,
  signal: AbortSignal,
): Result<Pressure, AppFault> {
  if (choice.kind === "standard") return success(choice);
  const content = contentOf(app, choice.fileId, signal);
  return content.ok ? success({ kind: "series", source: pressureSource(content.value) }) : content;
}

function contentOf({ files }: Pick<App, "files">, fileId: string, signal: AbortSignal): Result<FileContent, AppFault> {
  const file = files.list().find(({ id }) => id === fileId);
  if (!file) return failure(usageFault("This file is no longer open. Open it again."));
  return success({
    name: file.name,
    description: file,
    series: file.series,
    async read(seriesId: string) {
      const query = { seriesIds: [seriesId], range: null, offset: 0, limit: Number.MAX_SAFE_INTEGER };
      const page = await files.page(fileId, query, signal);
      if (!page.ok) return page;
      const { timesMs, columns } = page.value;
      return success({ timesMs, values: columns[0] ?? new Float64Array(timesMs.length) });
    },
  });
}

/** Keeps what the user decided about a station and the sites of a file. */
export function matchByHand(
  { siteMatches }: Pick<App, "siteMatches">,
  { a, b }: Sources,
  stationId: string,
  siteId: string | null | undefined,
): Result<null, AppFault> {
  const station = siteIn(a, stationId);
  const site = typeof siteId === "string" ? siteIn(b, siteId) : siteId;
  if (!station || (typeof siteId === "string" && !site))
    return failure(usageFault("This site is no longer in the file. Open it again."));
  siteMatches.choose(station, site);
  return success(null);
}

function siteIn({ sites }: Source, id: string): Site | undefined {
  return sites.find((site) => site.id === id);
}
