import { join } from "node:path";
import { VECTOR_FORMATS } from "#shared/file/figure.ts";
import { EXPORT_FORMATS, type ExportFormat, FORMATS } from "#shared/file/formats.ts";
import { DEFAULT_TEMPLATE } from "#shared/file/template.ts";
import {
  DEFAULT_CATCH_UP_DAYS,
  NOTICES,
  type Schedule,
  schedule,
  type ScheduledExport,
} from "#shared/schedule/schedule.ts";
import { readTimeOfDay, type ScheduleTime, timeWords } from "#shared/schedule/when.ts";
import { failure, success } from "#shared/service/error.ts";
import { lowerFirst } from "#shared/text.ts";
import { whyNoMoment } from "#shared/time/noMoment.ts";
import { parseMoment } from "#shared/time/typed.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { placeProblem } from "../../app/exports/place.ts";
import { choice, command, type Parsed, read, type Values } from "../command.ts";
import { stopFor, usage } from "../exit.ts";
import { canonicalFormat } from "../export/exporting.ts";
import {
  fileForms,
  HEIGHT_REFERENCE,
  interval,
  RAW,
  RESAMPLE,
  requireInterval,
  STATION_WORDS,
  variables,
  ZONE,
} from "../options/options.ts";
import { numberIn, parseDuration } from "../options/parse.ts";
import { userPath } from "../options/paths.ts";
import { namedStations, usableCatalogue } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";

const AS_EXPORT = "as for “export”";

const WORDS = {
  "<name>": "letters, digits, spaces and . , _ + - ( )",
  "<stations...>": `${STATION_WORDS}; group:NAME alone stands for the group as it is at each run`,
  "--daily <time>": "every day at this time, UTC: 06:30",
  "--local": "with --daily: the time is local time of this computer",
  "--every <duration>": read("15m, 1h: counted from each midnight UTC", parseDuration),
  "--from <time>": read("start of the range, relative to each run", success<string>, "yesterday"),
  "--to <time>": "end of the range, not included (default: the end of that day, month or year, or now)",
  ...RESAMPLE,
  "--format <formats>": read(`files to write, with commas: ${EXPORT_FORMATS.join(", ")}`, parseFormats),
  "--figure <format>": choice("a figure of the series, too", VECTOR_FORMATS),
  ...fileForms(AS_EXPORT, AS_EXPORT, AS_EXPORT),
  "--saved <names...>": "saved exports to write too, each with stations and range of its own",
  "--out <folder>": "where files go (default: a folder in the data folder)",
  "--catch-up <days>": read(
    "makes up for ranges that were missed in this time; 0 for none",
    numberIn(0, 99_999, { isWhole: true, unit: "d" }),
    String(DEFAULT_CATCH_UP_DAYS),
  ),
  "--since <date>": "delivers all ranges from this date on, also those before today",
  "--keep-days <n>": read(
    "deletes older cached data of these stations and variables after each run",
    numberIn(1, 99_999, { isWhole: true }),
  ),
  "--on-failure <command>": "runs a command after a run that failed, is incomplete, or raised an alarm",
  "--on-success <command>": "runs a command after any other run; see “schedule add” in the guide for its environment",
  "--ping <url>": "a GET at the end of each run, with /fail at the end of the path after a failure",
  "--silent <duration>": read("alarm: a station has sent nothing for longer than this: 2h", parseDuration),
  "--complete-below <percent>": read(
    "alarm: the data of a range are less complete: 90",
    numberIn(0.1, 100, { unit: "%" }),
  ),
  "--notify <when>": choice("when to show a system notification at the end of a run", NOTICES, "failure"),
  "--force": "replaces the schedule of this name",
  ...variables(),
  ...interval("means over this time (default: every observation)"),
  ...ZONE,
  ...RAW,
  ...HEIGHT_REFERENCE,
};
type AddValues = Values<typeof WORDS>;

export const addScheduleAdd = command({
  description:
    "Saves a schedule: which stations, variables and range to download, when, and which files to write then. Each range is " +
    "delivered once it is due, however late, and again if more data came. It runs while a window of the program is open; “schedule install” lets the system run it too.",
  words: WORDS,
  examples: [
    ["schedule add Morning Kallio Torsvika --daily 06:30 --format netcdf --out /data", "yesterday as a file, daily"],
    [
      "schedule add Archive Kallio --daily 06:30 --format csv --out /data --since 2026-01-01",
      "a file for each day of the year so far, then daily",
    ],
    ["schedule add Live group:Alps --every 15m --from now-3h", "keeps a group up to date"],
  ],
  async run(shell, values) {
    const given = await readSchedule(shell, values);
    const { store } = (await shell.app()).schedules;
    const before = store.find(given.name);
    if (before && !values.force)
      throw usage(`A schedule “${given.name}” exists already. --force replaces it and keeps its history.`);
    const stored = orStop(store.save(before?.id ?? null, given, Date.now()));
    shell.output.document("schedule add", stored);
    shell.output.print([
      `Saved “${given.name}”: ${lowerFirst(timeWords(given.when))}.`,
      "It runs while a window of Zenith Desk is open, or “web” runs. To let the system run it:",
      `  ${shell.suggest(`schedule install "${given.name}"`)}`,
    ]);
  },
});

function parseFormats(text: string): Parsed<ExportFormat[]> {
  const words = text.split(",").map((word) => word.trim());
  const formats = words.flatMap((word) => canonicalFormat(word) ?? []);
  return formats.length === words.length
    ? success(formats)
    : failure(`“${text}” names a format that does not exist. The formats are ${EXPORT_FORMATS.join(", ")}.`);
}

/** @throws Stop */
async function readSchedule(shell: Shell, values: AddValues): Promise<Schedule> {
  const { name, stations: words } = values;
  const connection = await shell.connection();
  const catalogue = await usableCatalogue(shell, connection, words);
  const stationIds = namedStations(connection, catalogue, words).map((s) => s.id);
  const [group] = words.length === 1 ? (words[0]?.match(/(?<=^group:).+/) ?? []) : [];
  const read = schedule.safeParse({
    name,
    connectionId: connection.record.id,
    when: scheduleTime(values),
    stations: group === undefined ? { kind: "list", stationIds } : { kind: "group", name: group.trim() },
    variables: values.vars,
    range: { start: values.from, end: values.to ?? "" },
    intervalSeconds: values.interval ?? null,
    raw: values.raw ?? false,
    resampled: (values.resample ?? false) || values.zone !== undefined,
    zone: values.zone,
    exports: exportsOf(values),
    folder: values.out === undefined ? null : userPath(values.out),
    catchUpDays: values.catchUp,
    sinceMs: sinceOf(values, Date.now()),
    keepDays: values.keepDays ?? null,
    notice: values.notify,
    onFailure: values.onFailure ?? null,
    onSuccess: values.onSuccess ?? null,
    ping: values.ping ?? null,
    silentMinutes: values.silent === undefined ? null : Math.ceil(values.silent / 60),
    completeBelow: values.completeBelow === undefined ? null : values.completeBelow / 100,
    isPaused: false,
  });
  if (read.success) {
    requireInterval(values);
    await requireFolder(read.data);
    const { savedExports } = await shell.app();
    for (const saved of values.saved ?? []) orStop(savedExports.find(saved));
    return read.data;
  }
  const [issue] = read.error.issues;
  const field = String(issue?.path[0] ?? "");
  const sentence = `${issue?.message ?? "It cannot be read"}.`;
  if (field === "range") throw usage(`--from ${values.from}: ${sentence}`);
  throw usage(field === "when" ? `--daily ${values.daily ?? ""}: ${sentence}` : `${field}: ${sentence}`);
}

/** Refuses a folder that cannot be written, before the first run at night does. @throws Stop */
async function requireFolder({ folder, exports }: Schedule): Promise<void> {
  if (folder === null || exports.length === 0) return;
  const problem = await placeProblem(join(folder, "file.csv"), "csv");
  if (problem) throw stopFor(problem);
}

function sinceOf({ since }: AddValues, nowMs: UtcMs): UtcMs | null {
  if (since === undefined) return null;
  const moment = parseMoment(since, nowMs);
  if (moment === null) throw usage(`--since: ${whyNoMoment(since)}`);
  if (moment > nowMs) throw usage(`--since ${since} is in the future.`);
  return moment;
}

function scheduleTime({ daily, local, every }: AddValues): ScheduleTime {
  if ((daily === undefined) === (every === undefined))
    throw usage("Choose when it runs: --daily 06:30 or --every 15m.");
  if (daily !== undefined)
    return { kind: "daily", time: readTimeOfDay(daily) ?? daily, clock: local ? "local" : "utc" };
  if (local) throw usage("--local needs --daily.");
  const minutes = (every ?? 0) / 60;
  if (!Number.isInteger(minutes) || minutes > 10_080) throw usage("--every takes whole minutes, at most a week.");
  return { kind: "every", minutes };
}

function exportsOf(values: AddValues): ScheduledExport[] {
  const {
    format = [],
    figure,
    template = DEFAULT_TEMPLATE,
    heightReference,
    stationDetails,
    layout,
    emptyRows,
    timeSystem,
  } = values;
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
  return [...own, ...figures, ...(values.saved ?? []).map((name) => ({ kind: "saved" as const, name }))];
}
