import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { comparisonReport } from "#formats/report/index.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import {
  type ComparedSites,
  type Comparison,
  GRID_METHODS,
  HEIGHT_METHODS,
  type Site,
  withoutPairs,
} from "#shared/comparison.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { siteName } from "../../analysis/collocation/sites.ts";
import { compareSources } from "../../app/comparison/compare.ts";
import { sourcesOfSides } from "../../app/comparison/fileSource.ts";
import type { Source } from "../../app/comparison/sources.ts";
import { createPace } from "../../app/pace.ts";
import { PROGRAM } from "../../program.ts";
import { choice, command, read, repeatable, type Values } from "../command.ts";
import { openPressure, openSide, parseGroupings, parseMatch, parsePairing } from "../compare/sources.ts";
import { comparisonLines, pairsCsv, statisticsCsv } from "../compare/tables.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { interval, RANGE, RAW, STATION_WORDS } from "../options/options.ts";
import { numberIn, parseRange, type RangeWords } from "../options/parse.ts";
import { invocation, shellWord, userFile, userPath } from "../options/paths.ts";
import { orStop, type Shell } from "../shell.ts";

const WORDS = {
  "<a>": "cache, cache:CONNECTION, a file, a zip archive, or a folder",
  "<b>": "the same; its values are subtracted from those of A",
  "--variable <name>": choice("the compared variable, mm", SCALAR_VARIABLES, "ztd"),
  "--stations <stations...>": `of a cache (default: all); ${STATION_WORDS}`,
  "--pairing <way>": read(
    "nearest[:TOLERANCE], mean:INTERVAL or linear[:LARGEST GAP]",
    parsePairing,
    "nearest",
    "nearest, at most half the finer step away",
  ),
  "--within <km>": read("largest distance of sites matched by position", numberIn(0, Infinity, { unit: "km" }), "1"),
  "--match <site=station>": repeatable(
    "match sites by hand, or SITE=none, SITE=auto; kept for later comparisons; repeatable",
    parseMatch,
  ),
  "--reject <sigmas>": read(
    "leave out pairs further than this many robust standard deviations from the median (default: none)",
    numberIn(0.1, Infinity),
  ),
  "--height <method>": choice("move B to the height of A; the result is derived, not measured", HEIGHT_METHODS, "none"),
  "--pressure <pressure>":
    "derive PWV from the ZTD of files without PWV: standard, a value in hPa, or a file with pressures",
  "--grid <method>": choice(
    "read a grid at each site: interpolated from four points, or the nearest point",
    GRID_METHODS,
    "bilinear",
  ),
  "--by <list>": read("statistics also by hour (UTC), month, height, value", parseGroupings),
  "--pairs <file>": "write all pairs as CSV",
  "--report <file>": "write a report with figures as an HTML page, which a browser prints",
  ...RANGE,
  ...interval("of a cache: means fetched with this interval (default: every observation)"),
  ...RAW,
};
type CompareValues = Values<typeof WORDS>;

export const addCompare = command({
  description:
    "Compares two sources A and B of ZTD or water vapour, site by site: the cache of a connection, or a file that " +
    "“open” describes. Sites are matched by id, DOMES number, name or distance, and epochs by the nearest row, by " +
    "means, or by interpolation. Prints statistics of A − B in mm, and writes a report with figures as one HTML " +
    "file. Nothing is sent, and nothing is written into the cache.",
  words: WORDS,
  examples: [
    ["compare cache igs.tro --reject 5 --report igs.html", "the cache against a file, over the time of the file"],
    ["compare cache model.nc --pairing mean:1h --height saastamoinen --month 2026-10 --by hour", "hourly means"],
    ["compare old.nc new.nc --variable pwv --csv", "two files"],
    ["compare cache igs.tro --variable pwv --pressure met.csv", "PWV of a file that has only ZTD"],
  ],
  async run(shell, values) {
    const { output, signal } = shell;
    const { pairs, report: page } = values;
    refuseOverwriting([values.a, values.b], [pairs, page]);
    if (page !== undefined) requireHtml(page);
    if (values.pressure !== undefined && values.variable !== "pwv")
      throw usage("--pressure derives PWV from ZTD: add --variable pwv.");
    const air = values.pressure === undefined ? null : await openPressure(shell, values.pressure, values.grid);
    const query = { ...values, pressure: air?.pressure ?? null };
    const [a, b] = [await openSide(shell, values.a, query), await openSide(shell, values.b, query)];
    try {
      const sources = orStop(sourcesOfSides(a.side, b.side));
      const comparison = await runComparison(shell, sources.a, sources.b, values);
      if (pairs !== undefined) await writeOutput(pairs, pairsCsv(comparison), signal);
      if (page !== undefined) await writeOutput(page, report(comparison), signal);
      if (output.csv) await output.stream(statisticsCsv(comparison));
      else output.print(comparisonLines(comparison, output.width));
      // Without the pairs, which `--pairs` writes.
      output.document("compare", { ...comparison, sites: comparison.sites.map(siteDocument) });
      return comparison.overall.n === 0 ? EXIT.incomplete : EXIT.ok;
    } finally {
      a.close();
      b.close();
      air?.close();
    }
  },
});

/** Lengths in seconds, because a name that ends in `Ms` means a time. */
function siteDocument(site: ComparedSites) {
  const { cells, ...rest } = withoutPairs(site);
  const { aMs, bMs, pairedMs, isOfMoments } = cells;
  return {
    ...rest,
    cells: { aSeconds: secondsOf(aMs), bSeconds: secondsOf(bMs), pairedSeconds: pairedMs / 1_000, isOfMoments },
  };
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}

/** @throws Stop */
function refuseOverwriting(sources: readonly string[], written: readonly (string | undefined)[]): void {
  const targets = written.flatMap((path) => (path === undefined ? [] : [userPath(path)]));
  const inputs = new Set(sources.map((name) => userFile(name).path));
  if (targets.some((path) => inputs.has(path))) throw usage("--report and --pairs must not name a compared file.");
  if (new Set(targets).size < targets.length) throw usage("--report and --pairs must name different files.");
}

async function runComparison(shell: Shell, a: Source, b: Source, options: CompareValues): Promise<Comparison> {
  const { siteMatches } = await shell.app({ mayCreate: true });
  for (const { a: site, b: other } of options.match ?? []) {
    const siteA = siteOf(a, site);
    siteMatches.choose(siteA, other === null || other === undefined ? other : siteOf(b, other));
  }
  const query = {
    variable: options.variable,
    range: rangeOf(options, Date.now(), [a, b]),
    pairing: options.pairing,
    rejectSigmas: options.reject ?? null,
    height: options.height,
    groupings: options.by ?? [],
    withinKm: options.within,
    chosen: siteMatches.chosen(a.sites, b.sites),
  };
  const comparison = orStop(await compareSources(a, b, query, createPace(shell.signal)));
  if (comparison.sites.length > 0) return comparison;
  throw usage(
    `No site of ${a.name} belongs to one of ${b.name}: none has the same id or name, and none is within ` +
      `${options.within} km. Choose a larger --within, or match sites with --match.`,
  );
}

function siteOf({ name, sites }: Source, word: string): Site {
  const found = sites.filter(
    (site) => site.id === word || site.stationId === word || siteName(site.label) === siteName(word),
  );
  const [site] = found;
  if (site && found.length === 1) return site;
  throw usage(
    found.length === 0 ? `${name} has no site “${word}”.` : `${name} has several sites “${word}”: name one by its id.`,
  );
}

/** The range of the options; null without them, if a file has a range of its own. */
function rangeOf(options: RangeWords, nowMs: number, sources: readonly Source[]): TimeRange | null {
  const isGiven = [options.from, options.to, options.last, options.month, options.day].some((w) => w !== undefined);
  if (!isGiven && sources.some(({ range }) => range !== null)) return null;
  const range = parseRange(options, nowMs);
  if (!range.ok) throw usage(range.error);
  return range.value;
}

async function writeOutput(path: string, text: string | Iterable<string>, signal: AbortSignal): Promise<void> {
  const save = (temporary: string): Promise<void> => writeFile(temporary, text, { signal });
  const written = await writeThroughTemporary(userPath(path), save, { signal });
  if (!written.ok) throw new Stop(EXIT.disk, `${basename(path)} could not be written. ${written.error.message}`);
}

function requireHtml(path: string): void {
  if (!/\.html?$/i.test(path)) throw usage(`--report writes a file that ends in .html, not ${basename(path)}.`);
}

function report(comparison: Comparison): string {
  const command = [invocation(), ...process.argv.slice(2).map(shellWord)].join(" ");
  return comparisonReport(comparison, { program: PROGRAM, madeAtMs: Date.now(), command });
}
