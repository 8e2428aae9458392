import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { csvLine } from "#shared/file/csv.ts";
import { futureWords, restWords } from "#shared/job/verdict.ts";
import { type Gap, sumsByCause } from "#shared/series/gap.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, formatRange, type TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { addSelection, durationOption, type SelectionOptions, STATION_WORDS } from "../options/options.ts";
import { noteUnlisted, readSelection } from "../options/selection.ts";
import { CAUSE_WORDS } from "../download/summary.ts";
import { right, shrinking, table } from "../terminal/table.ts";
import { duration, many } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

interface GapOptions extends SelectionOptions {
  readonly min: number;
}

export const addGaps: AddCommand = (program, run) => {
  const command = program
    .command("gaps")
    .summary("list missing values: cause, start, end, duration")
    .description(
      "Lists all periods without values and their cause: before the station's first observation, not downloaded, " +
        "failed, no entitlement, missing and may still come, filtered out, nothing sent, or unknown: one of the last two, which " +
        "“fetch --raw” of the same range tells apart. Totals by cause include gaps too short for the list. Sends " +
        "nothing.",
    )
    .argument("<stations...>", STATION_WORDS);
  addSelection(command, ["ztd", "pwv"])
    .addOption(durationOption("--min <duration>", "the shortest gap that is listed: 30s, 5m, 1h", "5m"))
    .addHelpText(
      "after",
      examples(
        ["gaps Kallio --month 2026-10", "a table, and sums by cause"],
        ["gaps country:FI --last 7d --min 1h --csv", "for a spreadsheet"],
        ["gaps all --vars ztd --day 2026-10-05 --json", "for a script"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: GapOptions) => {
        const { output } = shell;
        const connection = await shell.connection();
        const { stations, spec } = await readSelection(shell, connection, { words, source: "cache" }, options);
        noteUnlisted(shell, connection, words);
        const { stationIds, variables, range, intervalSeconds, raw } = spec;
        const mode = { intervalSeconds, raw, resampled: false };
        const query = { stationIds, variables, range, mode, minimumMs: options.min * 1_000 };
        const found = await (await shell.app()).gaps(connection, query, shell.signal);
        if (output.csv) return output.stream(csv(found, stations));
        output.document("gaps", documentOf(found, stations, { range, minimumSeconds: options.min }));
        if (!output.json) output.print(lines(found, stations, { width: output.width, range, minimum: options.min }));
      }),
    );
};

interface Row {
  readonly stationId: string;
  readonly displayName: string;
  readonly variable: Variable;
  readonly gap: Gap;
}

function rowsOf(found: readonly SeriesGaps[], stations: readonly CatalogueStation[]): Row[] {
  const names = new Map(stations.map((s) => [s.id, s.displayName]));
  return found.flatMap(({ stationId, variable, gaps }) =>
    gaps.map((gap) => ({ stationId, displayName: names.get(stationId) ?? stationId, variable, gap })),
  );
}

function secondsOf({ range }: Gap): number {
  return durationMs(range) / 1_000;
}

function csv(found: readonly SeriesGaps[], stations: readonly CatalogueStation[]): string {
  const head = "station_id,display_name,variable,cause,start,end,duration_s";
  const rows = rowsOf(found, stations).map(({ stationId, displayName, variable, gap }) => {
    const [start, end] = [formatUtcShort(gap.range.startMs), formatUtcShort(gap.range.endMs)];
    return csvLine([stationId, displayName, variable, gap.cause, start, end, secondsOf(gap)]);
  });
  return `${[head, ...rows].join("\n")}\n`;
}

function documentOf(
  found: readonly SeriesGaps[],
  stations: readonly CatalogueStation[],
  about: { readonly range: TimeRange; readonly minimumSeconds: number },
) {
  const gaps = rowsOf(found, stations).map(({ gap, ...series }) => ({
    ...series,
    cause: gap.cause,
    ...gap.range,
    durationSeconds: secondsOf(gap),
    ...(gap.reason === undefined ? {} : { reason: gap.reason }),
  }));
  const sums = found.flatMap(({ stationId, variable, secondsByCause }) =>
    Object.entries(secondsByCause).map(([cause, seconds]) => ({ stationId, variable, cause, seconds })),
  );
  return { ...about, gaps, sums };
}

interface ListOptions {
  readonly width: number | null;
  readonly range: TimeRange;
  readonly minimum: number;
}

function lines(
  found: readonly SeriesGaps[],
  stations: readonly CatalogueStation[],
  { width, range, minimum }: ListOptions,
): string[] {
  const rows = rowsOf(found, stations);
  const head = `${many(rows.length, "gap")} of at least ${duration(minimum)} in ${formatRange(range)}`;
  const columns = [shrinking("Station"), "Variable", "Cause", "Start (UTC)", "End (UTC)", right("Duration")];
  const cells = rows.map(({ displayName, variable, gap }) => [
    displayName,
    variable,
    CAUSE_WORDS[gap.cause],
    formatUtcShort(gap.range.startMs),
    formatUtcShort(gap.range.endMs),
    duration(secondsOf(gap)),
  ]);
  const reasonsOf = (isFailed: boolean): string[] => [
    ...new Set(rows.flatMap(({ gap }) => ((gap.cause === "failed") === isFailed ? (gap.reason ?? []) : []))),
  ];
  const reasons = reasonsOf(true);
  const remarks = reasonsOf(false);
  const sums = sumsByCause(found).map(([cause, seconds]) => [CAUSE_WORDS[cause], duration(seconds)]);
  return [
    head,
    ...(cells.length > 0 ? ["", ...table(columns, cells, width)] : []),
    ...(reasons.length > 0 ? ["", "Why it failed:", ...reasons.map((reason) => `  ${reason}`)] : []),
    ...(remarks.length > 0 ? ["", `${CAUSE_WORDS.nothingOrFiltered}:`, ...remarks.map((remark) => `  ${remark}`)] : []),
    ...(sums.length > 0
      ? ["", "All gaps, including shorter ones, summed over stations and variables:"]
      : [noGapsSentence(found, range)]),
    ...(sums.length > 0 ? table(["Cause", right("Duration")], sums, width) : []),
  ];
}

/** A sentence for no gaps, which mentions the part of the range in the future. */
function noGapsSentence(found: readonly SeriesGaps[], { startMs, endMs }: TimeRange): string {
  const untilMs = Math.min(endMs, ...found.map((s) => s.untilMs));
  if (untilMs <= startMs) return `${futureWords(startMs)}.`;
  return untilMs < endMs ? `Nothing is missing so far; ${restWords(untilMs)}.` : "Nothing is missing.";
}
