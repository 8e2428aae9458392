import type { SeriesGaps } from "#shared/bridge/methods/series.ts";
import { csvLine } from "#shared/file/csv.ts";
import { futureWords, restWords } from "#shared/job/verdict.ts";
import { type Gap, sumsByCause } from "#shared/series/gap.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { Variable } from "#shared/service/variables.ts";
import { durationMs, formatRange, type TimeRange } from "#shared/time/range.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { command, read } from "../command.ts";
import { CAUSE_WORDS } from "../download/summary.ts";
import { selection, STATIONS } from "../options/options.ts";
import { parseDuration } from "../options/parse.ts";
import { noteUnlisted, readSelection } from "../options/selection.ts";
import { right, shrinking, table } from "../terminal/table.ts";
import { duration, many } from "../terminal/text.ts";

export const addGaps = command({
  description:
    "Lists all periods without values and their cause: before the station's first observation, not downloaded, " +
    "failed, no access, missing and may still arrive, filtered out, nothing sent, or unknown: one of the last two, which " +
    "“fetch --raw” of the same range tells apart. Totals by cause include gaps too short for the list. Sends " +
    "nothing.",
  words: {
    ...STATIONS,
    ...selection(["ztd", "pwv"]),
    "--min <duration>": read("the shortest gap that is listed: 30s, 5m, 1h", parseDuration, "5m"),
  },
  examples: [
    ["gaps Kallio --month 2026-10", "a table, and sums by cause"],
    ["gaps country:FI --last 7d --min 1h --csv", "for a spreadsheet"],
    ["gaps all --vars ztd --day 2026-10-05 --json", "for a script"],
  ],
  async run(shell, values) {
    const { output } = shell;
    const connection = await shell.connection();
    const { stations, spec } = await readSelection(shell, connection, values);
    noteUnlisted(shell, connection, values.stations);
    const { stationIds, variables, range, intervalSeconds, raw } = spec;
    const mode = { intervalSeconds, raw, resampled: false };
    const query = { stationIds, variables, range, mode, minimumMs: values.min * 1_000 };
    const found = await (await shell.app()).gaps(connection, query, shell.signal);
    const rows = gapRows(found, stations);
    if (output.csv) return output.stream(csv(rows));
    output.document("gaps", documentOf(found, rows, { range, minimumSeconds: values.min }));
    if (!output.json) output.print(gapLines(found, rows, { width: output.width, range, minimum: values.min }));
  },
});

interface Row {
  readonly stationId: string;
  readonly displayName: string;
  readonly variable: Variable;
  readonly gap: Gap;
}

function gapRows(found: readonly SeriesGaps[], stations: readonly CatalogueStation[]): Row[] {
  const names = new Map(stations.map((s) => [s.id, s.displayName]));
  return found.flatMap(({ stationId, variable, gaps }) =>
    gaps.map((gap) => ({ stationId, displayName: names.get(stationId) ?? stationId, variable, gap })),
  );
}

function gapSeconds({ range }: Gap): number {
  return durationMs(range) / 1_000;
}

function csv(rows: readonly Row[]): string {
  const head = "station_id,display_name,variable,cause,start,end,duration_s";
  const lines = rows.map(({ stationId, displayName, variable, gap }) => {
    const [start, end] = [formatUtcShort(gap.range.startMs), formatUtcShort(gap.range.endMs)];
    return csvLine([stationId, displayName, variable, gap.cause, start, end, gapSeconds(gap)]);
  });
  return `${[head, ...lines].join("\n")}\n`;
}

function documentOf(
  found: readonly SeriesGaps[],
  rows: readonly Row[],
  about: { readonly range: TimeRange; readonly minimumSeconds: number },
) {
  const gaps = rows.map(({ gap, ...series }) => ({
    ...series,
    cause: gap.cause,
    ...gap.range,
    durationSeconds: gapSeconds(gap),
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

function gapLines(
  found: readonly SeriesGaps[],
  rows: readonly Row[],
  { width, range, minimum }: ListOptions,
): string[] {
  const head = `${many(rows.length, "gap")} of at least ${duration(minimum)} in ${formatRange(range)}`;
  const listed = table(
    rows,
    {
      Station: shrinking((row) => row.displayName),
      Variable: (row) => row.variable,
      Cause: (row) => CAUSE_WORDS[row.gap.cause],
      "Start (UTC)": (row) => formatUtcShort(row.gap.range.startMs),
      "End (UTC)": (row) => formatUtcShort(row.gap.range.endMs),
      Duration: right((row) => duration(gapSeconds(row.gap))),
    },
    width,
  );
  const reasonsOf = (isFailed: boolean): string[] => [
    ...new Set(rows.flatMap(({ gap }) => ((gap.cause === "failed") === isFailed ? (gap.reason ?? []) : []))),
  ];
  const reasons = reasonsOf(true);
  const remarks = reasonsOf(false);
  const sums = sumsByCause(found);
  const sumTable = {
    Cause: ([cause]: Sum) => CAUSE_WORDS[cause],
    Duration: right(([, seconds]: Sum) => duration(seconds)),
  };
  return [
    head,
    ...(rows.length > 0 ? ["", ...listed] : []),
    ...(reasons.length > 0 ? ["", "Why it failed:", ...reasons.map((reason) => `  ${reason}`)] : []),
    ...(remarks.length > 0 ? ["", `${CAUSE_WORDS.nothingOrFiltered}:`, ...remarks.map((remark) => `  ${remark}`)] : []),
    ...(sums.length > 0
      ? ["", "All gaps, including shorter ones, summed over stations and variables:", ...table(sums, sumTable, width)]
      : [noGapsSentence(found, range)]),
  ];
}

type Sum = ReturnType<typeof sumsByCause>[number];

/** A sentence for no gaps, which mentions the part of the range in the future. */
function noGapsSentence(found: readonly SeriesGaps[], { startMs, endMs }: TimeRange): string {
  const untilMs = Math.min(endMs, ...found.map((s) => s.untilMs));
  if (untilMs <= startMs) return `${futureWords(startMs)}.`;
  return untilMs < endMs ? `Nothing is missing so far; ${restWords(untilMs)}.` : "Nothing is missing.";
}
