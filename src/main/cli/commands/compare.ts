import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { Option } from "commander";
import { comparisonReport } from "#formats/report/index.ts";
import { writeThroughTemporary } from "#formats/temporary.ts";
import {
  type ComparedSites,
  type Comparison,
  GRID_METHODS,
  type GridMethod,
  type Grouping,
  type HeightMethod,
  type Pairing,
  type Site,
  withoutPairs,
} from "#shared/comparison.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { siteName } from "../../analysis/collocation/sites.ts";
import { compareSources } from "../../app/comparison/compare.ts";
import { sourcesOfSides } from "../../app/comparison/fileSource.ts";
import type { Source } from "../../app/comparison/sources.ts";
import { createPace } from "../../app/pacing.ts";
import { PROGRAM } from "../../program.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import {
  type MatchWords,
  parseGroupings,
  parseKilometres,
  parseMatch,
  parsePairing,
  parseSigmas,
} from "../options/comparison.ts";
import {
  addInterval,
  addRange,
  addRaw,
  commanderParser,
  invocation,
  quoted,
  repeatable,
  STATION_WORDS,
  userFile,
  userPath,
} from "../options/options.ts";
import { parseRange, type RangeWords } from "../options/parse.ts";
import { orStop, type Shell } from "../shell.ts";
import { comparisonLines, pairsCsv, statisticsCsv } from "../compare/tables.ts";
import { openPressure, openSide } from "../compare/sources.ts";
import { type AddCommand, examples } from "./types.ts";

interface CompareOptions extends RangeWords {
  readonly variable: ScalarVariable;
  readonly stations?: readonly string[];
  readonly pairing: Pairing;
  readonly within: number;
  readonly match?: readonly MatchWords[];
  readonly reject?: number;
  readonly height: HeightMethod;
  readonly pressure?: string;
  readonly grid: GridMethod;
  readonly by?: readonly Grouping[];
  readonly interval?: number;
  readonly raw?: boolean;
  readonly pairs?: string;
  readonly report?: string;
}

export const addCompare: AddCommand = (program, run) => {
  const command = program
    .command("compare")
    .summary("compare the cache or a file with another product: bias, spread, trend, report")
    .description(
      "Compares two sources A and B of ZTD or water vapour, site by site: the cache of a connection, or a file that " +
        "“open” describes. Sites are matched by id, DOMES number, name or distance, and epochs by the nearest row, by " +
        "means, or by interpolation. Prints statistics of A − B in mm, and writes a report with figures as one HTML " +
        "or PDF file. Nothing is sent, and nothing is written into the cache.",
    )
    .argument("<a>", "cache, cache:CONNECTION, a file, a zip archive, or a folder")
    .argument("<b>", "the same; its values are subtracted from those of A")
    .addOption(
      new Option("--variable <name>", "the compared variable, mm").choices([...SCALAR_VARIABLES]).default("ztd"),
    )
    .option("--stations <stations...>", `of a cache (default: all); ${STATION_WORDS}`)
    .addOption(
      new Option("--pairing <way>", "nearest[:TOLERANCE], mean:INTERVAL or linear[:LARGEST GAP]")
        .argParser(commanderParser(parsePairing))
        .default({ kind: "nearest", toleranceMs: null }, "nearest, at most half the finer step away"),
    )
    .option("--within <km>", "largest distance of sites matched by position", commanderParser(parseKilometres), 1)
    .option(
      "--match <site=station>",
      "match sites by hand, or SITE=none, SITE=auto; kept for later comparisons; repeatable",
      repeatable(parseMatch),
    )
    .option(
      "--reject <sigmas>",
      "leave out pairs further than this many robust standard deviations from the median (default: none)",
      commanderParser(parseSigmas),
    )
    .addOption(
      new Option("--height <method>", "move B to the height of A; the result is derived, not measured")
        .choices(["none", "saastamoinen"])
        .default("none"),
    )
    .option(
      "--pressure <pressure>",
      "derive PWV from the ZTD of files without PWV: standard, a value in hPa, or a file with pressures",
    )
    .addOption(
      new Option("--grid <method>", "read a grid at each site: interpolated from four points, or the nearest point")
        .choices([...GRID_METHODS])
        .default("bilinear"),
    )
    .option("--by <list>", "statistics also by hour (UTC), month, height, value", commanderParser(parseGroupings))
    .option("--pairs <file>", "write all pairs as CSV")
    .option("--report <file>", "write a report with figures as an HTML page, which a browser prints");
  addRaw(addInterval(addRange(command), "of a cache: means fetched with this interval (default: every observation)"))
    .addHelpText(
      "after",
      examples(
        ["compare cache igs.tro --reject 5 --report igs.html", "the cache against a file, over the time of the file"],
        ["compare cache model.nc --pairing mean:1h --height saastamoinen --month 2026-10 --by hour", "hourly means"],
        ["compare old.nc new.nc --variable pwv --csv", "two files"],
        ["compare cache igs.tro --variable pwv --pressure met.csv", "PWV of a file that has only ZTD"],
      ),
    )
    .action(
      run(async (shell, nameA: string, nameB: string, options: CompareOptions) => {
        const { output, signal } = shell;
        refuseOverwriting([nameA, nameB], [options.pairs, options.report]);
        if (options.report !== undefined) requireHtml(options.report);
        if (options.pressure !== undefined && options.variable !== "pwv")
          throw usage("--pressure derives PWV from ZTD: add --variable pwv.");
        const air = options.pressure === undefined ? null : await openPressure(shell, options.pressure, options.grid);
        const query = { ...options, pressure: air?.pressure ?? null };
        const [a, b] = [await openSide(shell, nameA, query), await openSide(shell, nameB, query)];
        try {
          const sources = orStop(sourcesOfSides(a.side, b.side));
          const comparison = await runComparison(shell, sources.a, sources.b, options);
          if (options.pairs !== undefined) await write(options.pairs, pairsCsv(comparison), signal);
          if (options.report !== undefined) await write(options.report, report(comparison), signal);
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
      }),
    );
};

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

async function runComparison(shell: Shell, a: Source, b: Source, options: CompareOptions): Promise<Comparison> {
  const { siteMatches } = await shell.app({ mayCreate: true });
  for (const { a: site, b: other } of options.match ?? []) {
    const siteA = siteOf(a, site);
    siteMatches.choose(siteA, other === null || other === undefined ? other : siteOf(b, other));
  }
  const query = {
    variable: options.variable,
    range: rangeOf(options, shell.now(), [a, b]),
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

async function write(path: string, text: string | Iterable<string>, signal: AbortSignal): Promise<void> {
  const save = (temporary: string): Promise<void> => writeFile(temporary, text, { signal });
  const written = await writeThroughTemporary(userPath(path), save, { signal });
  if (!written.ok) throw new Stop(EXIT.disk, `${basename(path)} could not be written. ${written.error.message}`);
}

function requireHtml(path: string): void {
  if (!/\.html?$/i.test(path)) throw usage(`--report writes a file that ends in .html, not ${basename(path)}.`);
}

function report(comparison: Comparison): string {
  const command = [invocation(), ...process.argv.slice(2).map(quoted)].join(" ");
  return comparisonReport(comparison, { program: PROGRAM, madeAtMs: Date.now(), command });
}
