import type { ComparedB, PressureChoice, ProductComparison } from "#shared/bridge/methods/products.ts";
import type { ReadMode } from "#shared/bridge/methods/schemas.ts";
import { type Comparison, type GridMethod, type Site, withoutPairs } from "#shared/comparison.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import { knownStations } from "#shared/service/catalogue.ts";
import { type Result, success } from "#shared/service/error.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { concatenated } from "../../analysis/collocation/statistics.ts";
import { scatterOf } from "../../analysis/compare/shapes.ts";
import type { App } from "../application.ts";
import { describeSource } from "../connections/connectionRecords.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { folderOption, program, quotedPath } from "../exports/command.ts";
import { rowsOfPage } from "../files/foreign.ts";
import { createPace, type Pace } from "../pace.ts";
import { drawnDifferences } from "../reading/drawn.ts";
import { compareSources, type ComparisonQuery } from "./compare.ts";
import type { Pressure } from "./derivedPwv.ts";
import {
  type ComparisonSide,
  type FileContent,
  filePressure,
  fileSide,
  fixedSide,
  type Sources,
  sourcesOfSides,
} from "./fileSource.ts";
import { cacheSource, type Source } from "./sources.ts";

interface ProductQuery extends Omit<ComparisonQuery, "range" | "chosen" | "groupings"> {
  readonly range: TimeRange;
  /** null: A are the stations. */
  readonly fileIdA: string | null;
  readonly b: ComparedB;
  readonly stationIds: readonly string[];
  readonly mode: ReadMode;
  readonly pressure: PressureChoice;
  /** For files with the variable on a grid. */
  readonly grid: GridMethod;
}

type Reader = Pick<App, "files" | "rows" | "siteMatches">;

/** A plot with more lines is unreadable. */
const MAX_LINES = 20;

/** The connection of A, and the one of B if B is not a file. */
export interface Connections {
  readonly own: OpenConnection;
  readonly other: OpenConnection | null;
}

/** See `products.compare`. */
export async function compareProduct(
  app: Reader,
  connections: Connections,
  query: ProductQuery & { readonly columns: number },
  signal: AbortSignal,
): Promise<Result<ProductComparison, AppFault>> {
  const sources = sourcesOf(app, connections, query, signal);
  if (!sources.ok) return sources;
  const { a, b } = sources.value;
  const compared = await comparedProduct(app, sources.value, { ...query, groupings: [] }, createPace(signal));
  if (!compared.ok) return compared;
  const { sites, ...rest } = compared.value;
  return success({
    ...rest,
    sites: sites.map(withoutPairs),
    fileSites: b.sites,
    differences: sites.slice(0, MAX_LINES).map(({ match, pairs, cells }) => {
      // A difference of means is drawn at the middle of their interval.
      const timesMs = pairs.timesMs.map((timeMs) => timeMs + cells.pairedMs / 2);
      return drawnDifferences({ ...query, stationId: match.a.id }, { ...pairs, timesMs });
    }),
    scatter: scatterOf(
      a.name,
      b.name,
      concatenated(sites.map((s) => s.pairs.a)),
      concatenated(sites.map((s) => s.pairs.b)),
    ),
  });
}

/** Compares two sources, and returns the pairs too. */
export async function comparedProduct(
  { siteMatches }: Pick<App, "siteMatches">,
  { a, b }: Sources,
  query: Omit<ComparisonQuery, "chosen">,
  pace: Pace,
): Promise<Result<Comparison, AppFault>> {
  return compareSources(a, b, { ...query, chosen: siteMatches.chosen(a.sites, b.sites) }, pace);
}

/** Opens both sides: A is stations of a connection or a file, B a file or another connection. */
export function sourcesOf(
  app: Pick<App, "files" | "rows">,
  { own, other }: Connections,
  query: Pick<ProductQuery, "fileIdA" | "b" | "stationIds" | "variable" | "mode" | "pressure" | "grid">,
  signal: AbortSignal,
): Result<Sources, AppFault> {
  const { fileIdA } = query;
  const a =
    fileIdA === null ? success(fixedSide(stationSource(app, own, query))) : openedSide(app, fileIdA, query, signal);
  if (!a.ok) return a;
  const b = other
    ? success(fixedSide(stationSource(app, other, { ...query, stationIds: allStations(other) })))
    : openedSide(app, query.b.kind === "file" ? query.b.fileId : "", query, signal);
  return b.ok ? sourcesOfSides(a.value, b.value) : b;
}

function allStations({ cache }: OpenConnection): string[] {
  return knownStations(cache.catalogue()).map(({ id }) => id);
}

function stationSource(
  { rows }: Pick<App, "rows">,
  connection: OpenConnection,
  { stationIds, variable, mode }: Pick<ProductQuery, "stationIds" | "variable" | "mode">,
): Source {
  const { cache, record } = connection;
  return cacheSource({
    name: record.name,
    details: [describeSource(record)],
    stations: stationIds.flatMap((id) => cache.station(id) ?? []),
    variable,
    intervalSeconds: mode.intervalSeconds,
    read: (stationId, range) => rows(connection, { ...mode, range }, stationId, [variable]),
  });
}

function openedSide(
  app: Pick<App, "files">,
  fileId: string,
  { variable, pressure, grid }: Pick<ProductQuery, "variable" | "pressure" | "grid">,
  signal: AbortSignal,
): Result<ComparisonSide, AppFault> {
  const content = comparedContent(app, fileId, signal);
  if (!content.ok) return content;
  const known = pressure ? pressureOf(app, pressure, grid, signal) : success(null);
  return known.ok ? success(fileSide(content.value, { variable, grid, pressure: known.value })) : known;
}

function pressureOf(
  app: Pick<App, "files">,
  choice: NonNullable<PressureChoice>,
  grid: GridMethod,
  signal: AbortSignal,
): Result<Pressure | null, AppFault> {
  if (choice.kind === "standard") return success(choice);
  const content = comparedContent(app, choice.fileId, signal);
  return content.ok ? success(filePressure(content.value, grid)) : content;
}

function comparedContent(
  { files }: Pick<App, "files">,
  fileId: string,
  signal: AbortSignal,
): Result<FileContent, AppFault> {
  const file = files.list().find(({ id }) => id === fileId);
  if (!file) return usageFailure("This file is no longer open. Open it again.");
  return success({
    name: file.name,
    description: file,
    series: file.series,
    grids: file.grids ?? [],
    readPoints: (gridId, points) => files.request("gridPoints", fileId, { gridId, points }, signal),
    async read(seriesId: string) {
      const query = { seriesIds: [seriesId], range: null, offset: 0, limit: Number.MAX_SAFE_INTEGER };
      const page = await files.page(fileId, query, signal);
      return page.ok ? success(rowsOfPage(page.value)) : page;
    },
  });
}

/** Saves the user's decision about a station and the sites of a file. @param siteId null: no match; undefined: undo */
export function saveManualMatch(
  { siteMatches }: Pick<App, "siteMatches">,
  { a, b }: Sources,
  stationId: string,
  siteId: string | null | undefined,
): Result<null, AppFault> {
  const station = siteIn(a, stationId);
  const site = typeof siteId === "string" ? siteIn(b, siteId) : siteId;
  if (!station || (typeof siteId === "string" && !site))
    return usageFailure("This site is no longer in the file. Open it again.");
  siteMatches.choose(station, site);
  return success(null);
}

function siteIn({ sites }: Source, id: string): Site | undefined {
  return sites.find((site) => site.id === id);
}

interface ReportedSources {
  readonly fileNameA: string | null;
  /** A file, or `cache:` and the name of a connection. */
  readonly nameB: string;
  /** Name of the file with the pressures that PWV is derived from. */
  readonly pressureName: string | null;
  readonly connectionName: string;
  readonly dataFolder: string;
}

/** The command that repeats the report of a comparison, in the folder of the files. @param fileNameA null: A is the cache */
export function compareCommand(
  query: ProductQuery,
  { fileNameA, nameB, pressureName, connectionName, dataFolder }: ReportedSources,
): string {
  const { stationIds, variable, range, mode, pairing, rejectSigmas, height, withinKm, pressure, grid } = query;
  const isOfCache = fileNameA === null;
  const words: readonly (readonly [isSet: boolean, words: string])[] = [
    [true, `${program(process.env)} compare ${fileNameA === null ? "cache" : quote(fileNameA)} ${quote(nameB)}`],
    [true, `--variable ${variable}`],
    [true, `--from ${formatUtcShort(range.startMs)} --to ${formatUtcShort(range.endMs)}`],
    [true, `--pairing ${pairingWord(pairing)} --within ${withinKm}`],
    [rejectSigmas !== null, `--reject ${rejectSigmas}`],
    [height !== "none", `--height ${height}`],
    [pressure !== null, `--pressure ${pressureName === null ? "standard" : quote(pressureName)}`],
    [grid !== "bilinear", `--grid ${grid}`],
    [isOfCache && mode.intervalSeconds !== null, `--interval ${mode.intervalSeconds}s`],
    [isOfCache && mode.raw, "--raw"],
    [true, "--by hour,month,height,value --report report.html"],
    [isOfCache, `--connection ${quote(connectionName)}`],
    [true, folderOption(dataFolder, process.env, process.platform).join(" ")],
    [isOfCache, `--stations ${stationIds.map(quote).join(" ")}`],
  ];
  return words.flatMap(([isSet, text]) => (isSet && text !== "" ? [text] : [])).join(" ");
}

function quote(word: string): string {
  return quotedPath(word, process.platform);
}

function pairingWord(pairing: ProductQuery["pairing"]): string {
  const { kind } = pairing;
  const ms = kind === "nearest" ? pairing.toleranceMs : kind === "mean" ? pairing.intervalMs : pairing.mostGapMs;
  return ms === null ? kind : `${kind}:${ms / 1_000}s`;
}
