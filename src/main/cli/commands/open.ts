import { basename } from "node:path";
import { type ChosenColumns, type Remember, TIME_ROLES } from "#shared/file/columns.ts";
import { type FileQuantity, type FileSeries, type OpenedFile, OPENED_FORMATS } from "#shared/file/opened.ts";
import { SCALAR_VARIABLES } from "#shared/service/variables.ts";
import { heightText, type Position } from "#shared/station/position.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import { fileFault } from "../../app/files/read.ts";
import { command, repeatable, type Values } from "../command.ts";
import { EXIT, Stop } from "../exit.ts";
import { columnOptions, columnWords, parseColumn, ROLE_WORDS } from "../options/columns.ts";
import { userFile } from "../options/paths.ts";
import type { Shell } from "../shell.ts";
import { amount, type Columns, moment, shrinking } from "../terminal/table.ts";
import { count, many, visible } from "../terminal/text.ts";

const WORDS = {
  "<files...>": "files, zip archives or folders",
  "--column <name=role>": repeatable(
    `meaning of a column in a text table, by name or number: ${ROLE_WORDS}. ${SCALAR_VARIABLES.join(", ")} may have a unit ` +
      "(ztd:m), times a scale or zone (time:GPS, time:UTC+5:30, time:Europe/Helsinki), seconds of the day or week s, ms or min. Kept for tables with this header that ask the same; repeatable",
    parseColumn,
  ),
  "--missing-value <text>": "a text in such a table that means a missing value, in addition to the usual ones",
};
type OpenValues = Values<typeof WORDS>;

interface Described extends Omit<OpenedFile, "id"> {
  readonly path: string;
  /** In an archive or a folder. */
  readonly unreadFiles: readonly string[];
}

export const addOpen = command({
  description:
    "Describes files of series as the window shows them when they are opened: NetCDF-3 and NetCDF-4 in any layout of the " +
    "CF conventions, SINEX_TRO, COST-716, and tables as text, Parquet, SQLite and Excel. The files of " +
    "a zip archive or a folder are described as one, or one of them with ARCHIVE:FILE. " +
    "Reports unreadable parts and assumptions. Changes nothing in the cache, and sends nothing.",
  words: WORDS,
  examples: [
    ["open kallio.nc", "lists its content"],
    ["open *.nc --json", "for a script"],
    ['open mine.txt --column t=day-first --column "trop=ztd:m"', "a table with unknown column names"],
    ["open days.zip:2026/day001.tro", "one file of an archive"],
  ],
  async run(shell, values) {
    const { output, signal } = shell;
    const found: Described[] = [];
    let isUndecided = false;
    for (const word of values.files) {
      const answer = await describeTarget(shell, word, values);
      signal.throwIfAborted();
      if ("path" in answer) found.push(answer);
      else {
        output.warn(answer.sentence);
        isUndecided ||= answer.isUndecided;
      }
    }
    if (found.length === 0 && isUndecided) throw new Stop(EXIT.usage, UNDECIDED);
    if (found.length === 0) throw new Stop(EXIT.disk, "None of these files can be shown.");
    output.document("open", { files: found.map(documentOf) });
    for (const [i, file] of found.entries()) {
      output.print([...(i > 0 ? [""] : []), ...headLines(file), ""]);
      output.table(file.series, COLUMNS);
    }
    if (isUndecided) throw new Stop(EXIT.usage, UNDECIDED);
    const isComplete = found.length === values.files.length && found.every((file) => file.unreadFiles.length === 0);
    return isComplete ? EXIT.ok : EXIT.incomplete;
  },
});

const UNDECIDED = "The files do not say what some of their columns mean: say it with --column.";

/** Why a file cannot be read, or what has to be said before. */
interface Unread {
  readonly sentence: string;
  readonly isUndecided: boolean;
}

async function describeTarget(shell: Shell, word: string, values: OpenValues): Promise<Described | Unread> {
  const { pathBytes } = await import("../../app/files/grants.ts");
  const { path, ...member } = userFile(word);
  const columns = chosenBy(values);
  const earlier = columnOptions(shell, columns);
  const answered: Parameters<Remember>[] = [];
  const remembered: Remember = (...now) => {
    if (now[1]) answered.push(now);
    return earlier.remembered(now[0], null);
  };
  const answer = await shell.openFile(path, { ...member, ...earlier, remembered });
  if (!answer.ok) {
    const { message } = fileFault(answer.error, { path, name: path });
    const { kind, choices = [], asked } = answer.error;
    const isUndecided = kind === "undecided";
    const { names = [], roles = [] } = asked?.table ?? {};
    const any = `Say what its columns are with --column "${names.find((name) => name !== "") ?? "NAME"}=ROLE"; zenith open --help lists the roles.`;
    // A question on a zone says itself how it is answered.
    const how = roles.some(({ role }) => TIME_ROLES.has(role)) ? "Write it with --column." : any;
    const words = choices.length > 0 ? ` Write ${columnWords(choices)}.` : isUndecided ? ` ${how}` : "";
    return { sentence: `${message}${words}`, isUndecided };
  }
  const { format, title, source, notes, series, unreadFiles } = answer.value;
  answer.value.close();
  if (answered.length > 0) {
    const { remembered: take, save } = (await shell.app({ mayCreate: true })).columnChoices.answering();
    for (const now of answered) await take(...now);
    save();
  }
  const size = (await pathBytes(path)) ?? 0;
  return { path, name: basename(path), format, bytes: size, title, source, notes, series, unreadFiles };
}

function chosenBy({ column = [], missingValue }: OpenValues): ChosenColumns | undefined {
  if (column.length === 0 && missingValue === undefined) return undefined;
  return { columns: column, noValue: missingValue ?? null };
}

function documentOf({ series, ...file }: Described) {
  return { ...file, series: series.map(seriesDocument) };
}

function seriesDocument({ label, stationId, satellite, position, quantity, cell = null, rows, range }: FileSeries) {
  // In seconds, because a name that ends in `Ms` means a time.
  const about =
    cell?.kind === "interval" ? { kind: cell.kind, time: cell.time, lengthSeconds: cell.lengthMs / 1_000 } : cell;
  return { label, stationId, satellite, position, quantity, cell: about, rows, ...epochSpan(range) };
}

/** First and last epoch of a file, instead of a half-open range. */
function epochSpan(range: FileSeries["range"]): { firstMs: number | null; lastMs: number | null } {
  return { firstMs: range?.startMs ?? null, lastMs: range ? range.endMs - 1 : null };
}

const COLUMNS: Columns<FileSeries> = {
  Series: shrinking((series) => series.label),
  Position: shrinking((series) => positionText(series.position)),
  Quantity: shrinking((series) => quantityText(series.quantity)),
  Unit: (series) => series.quantity.unit ?? "",
  Rows: amount((series) => series.rows),
  "First (UTC)": moment(({ range }) => epochSpan(range).firstMs, formatUtcShort),
  "Last (UTC)": moment(({ range }) => epochSpan(range).lastMs, formatUtcShort),
};

function headLines({ path, format, bytes, title, source, notes, series }: Described): string[] {
  return [
    `${visible(path)}: ${OPENED_FORMATS[format]}, ${many(bytes, "byte")}, ${series.length === 1 ? "1 series" : `${count(series.length)} series`}`,
    ...(title === null ? [] : [`Title: ${title}`]),
    ...(source === null ? [] : [`Source: ${source}`]),
    ...notes.map((note) => `Note: ${note}`),
    ...conversions(series).map((sentence) => `Note: ${sentence}`),
  ];
}

function conversions(series: readonly FileSeries[]): string[] {
  return [
    ...new Set(
      series.flatMap(({ quantity: { name, conversion } }) => (conversion ? [`${name} is ${conversion}.`] : [])),
    ),
  ];
}

function positionText(position: Position | null): string {
  if (position === null) return "";
  const height = heightText(position);
  const angles = `${position.latitudeDeg.toFixed(4)}, ${position.longitudeDeg.toFixed(4)}`;
  return height === null ? angles : `${angles}, ${height}`;
}

function quantityText({ name, variable, standardName }: FileQuantity): string {
  if (variable !== null && variable !== name) return `${name} (${variable})`;
  return standardName === null || variable !== null ? name : `${name} (${standardName})`;
}
