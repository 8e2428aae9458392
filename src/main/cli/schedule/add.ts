import { join } from "node:path";
import { type Command, Option } from "commander";
import {
  FILE_LAYOUTS,
  TIME_SYSTEMS,
  type TimeSystem,
  type FileLayout,
  STATION_DETAILS,
  type StationDetails,
} from "#shared/file/export.ts";
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { VECTOR_FORMATS, type VectorFormat } from "#shared/file/figure.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import {
  DEFAULT_CATCH_UP_DAYS,
  NOTICES,
  type Schedule,
  schedule,
  type ScheduledExport,
} from "#shared/schedule/schedule.ts";
import { type ScheduleTime, timeWords } from "#shared/schedule/when.ts";
import type { HeightReference } from "#shared/service/catalogue.ts";
import { failure, success } from "#shared/service/error.ts";
import { whyNoMoment } from "#shared/time/noMoment.ts";
import { parseMoment } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { lowerFirst } from "#shared/text.ts";
import { canonicalFormat } from "../export/exporting.ts";
import { placeProblem } from "../../app/exports/place.ts";
import { stopFor, usage } from "../exit.ts";
import {
  addHeightReference,
  addInterval,
  addRaw,
  addVariables,
  addZone,
  commanderParser,
  readDuration,
  readTemplate,
  requireInterval,
  type SelectionOptions,
  STATION_WORDS,
  TEMPLATE_HELP,
  userPath,
} from "../options/options.ts";
import { namedStations, usableCatalogue } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";
import { examples, type Run } from "../commands/types.ts";

interface AddOptions extends Pick<SelectionOptions, "vars" | "interval" | "zone" | "raw"> {
  readonly daily?: string;
  readonly local?: boolean;
  readonly every?: number;
  readonly from: string;
  readonly to?: string;
  readonly resample?: boolean;
  readonly format?: ExportFormat[];
  readonly figure?: VectorFormat;
  readonly template?: string;
  readonly stationDetails?: StationDetails;
  readonly layout?: FileLayout;
  readonly timeSystem?: TimeSystem;
  readonly emptyRows?: boolean;
  readonly heightReference: HeightReference;
  readonly saved?: string[];
  readonly out?: string;
  readonly catchUp: number;
  readonly since?: string;
  readonly keepDays?: number;
  readonly onFailure?: string;
  readonly onSuccess?: string;
  readonly ping?: string;
  readonly silent?: number;
  readonly completeBelow?: number;
  readonly notify: Schedule["notice"];
  readonly force?: boolean;
}

const readFormats = commanderParser((text) => {
  const words = text.split(",").map((word) => word.trim());
  const formats = words.flatMap((word) => canonicalFormat(word) ?? []);
  return formats.length === words.length
    ? success(formats)
    : failure(`“${text}” names a format that does not exist. There are ${EXPORT_FORMATS.join(", ")}.`);
});

const readDays = commanderParser((text) =>
  /^[1-9]\d{0,4}$/.test(text.trim()) ? success(Number(text)) : failure(`“${text}” is not a number of days.`),
);

const readPercent = commanderParser((text) => {
  const percent = Number(text.trim().replace(/ ?%$/, ""));
  return percent > 0 && percent <= 100
    ? success(percent / 100)
    : failure(`“${text}” is not a share. Write it in percent, above 0 and at most 100: 90.`);
});

/** `30d`, or a number of days. */
const readCatchUp = commanderParser((text) =>
  /^\d{1,5}d?$/.test(text.trim())
    ? success(Number.parseInt(text, 10))
    : failure(`“${text}” is not a number of days. Write it as 30d.`),
);

export function addScheduleAdd(parent: Command, run: Run): void {
  const command = parent
    .command("add")
    .description(
      "Saves a schedule: which stations, variables and range to download, when, and which files to write then. Each range is " +
        "delivered once it is due, however late, and again if more data came. It runs while a window of the program is open; “schedule install” lets the system run it too.",
    )
    .argument("<name>", "letters, digits, spaces and . , _ + - ( )")
    .argument("<stations...>", `${STATION_WORDS}; group:NAME alone stands for the group as it is at each run`)
    .option("--daily <time>", "every day at this time, UTC: 06:30")
    .option("--local", "with --daily: the time is local time of this computer")
    .option("--every <duration>", "15m, 1h: counted from each midnight UTC", readDuration)
    .option("--from <time>", "start of the range, relative to each run", "yesterday")
    .option("--to <time>", "end of the range, not included (default: the end of that day, month or year, or now)")
    .option("--resample", "with --interval: averages cached observations here")
    .option("--format <formats>", `files to write, with commas: ${EXPORT_FORMATS.join(", ")}`, readFormats)
    .option("--template <template>", `names the files: ${TEMPLATE_HELP}`, readTemplate)
    .addOption(new Option("--figure <format>", "a figure of the series, too").choices(VECTOR_FORMATS))
    .addOption(new Option("--station-details <kind>", "as for “export”").choices(STATION_DETAILS))
    .addOption(new Option("--layout <kind>", "as for “export”").choices(FILE_LAYOUTS))
    .addOption(new Option("--time-system <system>", "as for “export”").choices(TIME_SYSTEMS))
    .option("--empty-rows", "tables: keeps rows without any value")
    .option("--saved <names...>", "saved exports to write too, each with stations and range of its own")
    .option("--out <folder>", "where files go (default: a folder in the data folder)")
    .option(
      "--catch-up <days>",
      "makes up for ranges that were missed in this time; 0 for none",
      readCatchUp,
      DEFAULT_CATCH_UP_DAYS,
    )
    .option("--since <date>", "delivers all ranges from this date on, also those before today")
    .option("--keep-days <n>", "deletes older cached data of these stations and variables after each run", readDays)
    .option("--on-failure <command>", "runs a command after a run that failed, is incomplete, or raised an alarm")
    .option(
      "--on-success <command>",
      "runs a command after any other run; see “schedule add” in the guide for its environment",
    )
    .option("--ping <url>", "a GET at the end of each run, with /fail at the end of the path after a failure")
    .option("--silent <duration>", "alarm: a station has sent nothing for longer than this: 2h", readDuration)
    .option("--complete-below <percent>", "alarm: the data of a range are less complete: 90", readPercent)
    .addOption(
      new Option("--notify <when>", "when to show a system notification at the end of a run")
        .choices(NOTICES)
        .default("failure"),
    )
    .option("--force", "replaces the schedule of this name");
  const INTERVAL = "means over this time (default: every observation)";
  addHeightReference(addRaw(addZone(addInterval(addVariables(command), INTERVAL))))
    .addHelpText(
      "after",
      examples(
        [
          "schedule add Morning Kallio Torsvika --daily 06:30 --format netcdf --out /data",
          "yesterday as a file, daily",
        ],
        [
          "schedule add Archive Kallio --daily 06:30 --format csv --out /data --since 2026-01-01",
          "a file for each day of the year so far, then daily",
        ],
        ["schedule add Live group:Alps --every 15m --from now-3h", "keeps a group up to date"],
      ),
    )
    .action(
      run(async (shell, name: string, words: string[], options: AddOptions) => {
        const given = await readSchedule(shell, name, words, options);
        const { store } = (await shell.app()).schedules;
        const before = store.find(given.name);
        if (before && !options.force)
          throw usage(`A schedule “${given.name}” exists already. --force replaces it and keeps its history.`);
        const stored = orStop(store.save(before?.id ?? null, given, shell.now()));
        shell.output.document("schedule add", stored);
        shell.output.print([
          `Saved “${given.name}”: ${lowerFirst(timeWords(given.when))}.`,
          "It runs while a window of Zenith Desk is open, or “web” runs. To let the system run it:",
          `  ${shell.suggest(`schedule install "${given.name}"`)}`,
        ]);
      }),
    );
}

/** @throws Stop */
async function readSchedule(
  shell: Shell,
  name: string,
  words: readonly string[],
  options: AddOptions,
): Promise<Schedule> {
  const connection = await shell.connection();
  const catalogue = await usableCatalogue(shell, connection, words);
  const stationIds = namedStations(connection, catalogue, words).map((s) => s.id);
  const [group] = words.length === 1 ? (words[0]?.match(/(?<=^group:).+/) ?? []) : [];
  const read = schedule.safeParse({
    name,
    connectionId: connection.record.id,
    when: timeOf(options),
    stations: group === undefined ? { kind: "list", stationIds } : { kind: "group", name: group.trim() },
    variables: options.vars,
    range: { start: options.from, end: options.to ?? "" },
    intervalSeconds: options.interval ?? null,
    raw: options.raw ?? false,
    resampled: (options.resample ?? false) || options.zone !== undefined,
    zone: options.zone,
    exports: exportsOf(options),
    folder: options.out === undefined ? null : userPath(options.out),
    catchUpDays: options.catchUp,
    sinceMs: sinceOf(options, shell.now()),
    keepDays: options.keepDays ?? null,
    notice: options.notify,
    onFailure: options.onFailure ?? null,
    onSuccess: options.onSuccess ?? null,
    ping: options.ping ?? null,
    silentMinutes: options.silent === undefined ? null : Math.ceil(options.silent / 60),
    completeBelow: options.completeBelow ?? null,
    isPaused: false,
  });
  if (read.success) {
    requireInterval(options);
    await requireFolder(read.data);
    const { savedExports } = await shell.app();
    for (const saved of options.saved ?? []) orStop(savedExports.find(saved));
    return read.data;
  }
  const [issue] = read.error.issues;
  const field = String(issue?.path[0] ?? "");
  const sentence = `${issue?.message ?? "It cannot be read"}.`;
  if (field === "range") throw usage(`--from ${options.from}: ${sentence}`);
  throw usage(field === "when" ? `--daily ${options.daily ?? ""}: ${sentence}` : `${field}: ${sentence}`);
}

/** Refuses a folder that cannot be written, before the first run at night does. @throws Stop */
async function requireFolder({ folder, exports }: Schedule): Promise<void> {
  if (folder === null || exports.length === 0) return;
  const problem = await placeProblem(join(folder, "file.csv"), "csv");
  if (problem) throw stopFor(problem);
}

function sinceOf({ since }: AddOptions, nowMs: UtcMs): UtcMs | null {
  if (since === undefined) return null;
  const moment = parseMoment(since, nowMs);
  if (moment === null) throw usage(`--since: ${whyNoMoment(since)}`);
  if (moment > nowMs) throw usage(`--since ${since} is in the future.`);
  return moment;
}

function timeOf({ daily, local, every }: AddOptions): ScheduleTime {
  if ((daily === undefined) === (every === undefined))
    throw usage("Choose when it runs: --daily 06:30 or --every 15m.");
  if (daily !== undefined)
    return { kind: "daily", time: /^\d:/.test(daily) ? `0${daily}` : daily, clock: local ? "local" : "utc" };
  if (local) throw usage("--local needs --daily.");
  const minutes = (every ?? 0) / 60;
  if (!Number.isInteger(minutes) || minutes > 10_080) throw usage("--every takes whole minutes, at most a week.");
  return { kind: "every", minutes };
}

function exportsOf(options: AddOptions): ScheduledExport[] {
  const {
    format = [],
    figure,
    template = DEFAULT_TEMPLATE,
    heightReference,
    stationDetails,
    layout,
    emptyRows,
    timeSystem,
  } = options;
  const own = format.map((one) => ({
    kind: "own" as const,
    format: one,
    heightReference,
    template,
    ...(FORMATS[one].hasDetails === true && stationDetails ? { stationDetails } : {}),
    ...(FORMATS[one].kind === "array" && layout ? { layout } : {}),
    ...(FORMATS[one].kind === "table" && emptyRows ? { emptyRows } : {}),
    ...(one === "sinex" && timeSystem ? { timeSystem } : {}),
  }));
  const figures = figure ? [{ kind: "figure" as const, format: figure, template }] : [];
  return [...own, ...figures, ...(options.saved ?? []).map((name) => ({ kind: "saved" as const, name }))];
}
