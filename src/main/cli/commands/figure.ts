import { extname } from "node:path";
import { Option } from "commander";
import {
  DEFAULT_FIGURE,
  FIGURE_WIDTHS,
  type FigureSettings,
  LEGEND_PLACES,
  LENGTH_UNITS,
  type LengthUnit,
  MAX_FIGURE_MM,
  MIN_FIGURE_MM,
  toMm,
  VECTOR_FORMATS,
  type VectorFormat,
} from "#shared/file/figure.ts";
import { downloadFor } from "#shared/file/savedExport.ts";
import { MAX_LINES } from "#shared/plot/figure/seriesFigure.ts";
import { stationLabels } from "#shared/service/catalogue.ts";
import { failure, success } from "#shared/service/error.ts";
import { SCALAR_VARIABLES, variableKind } from "#shared/service/variables.ts";
import type { FigureReport } from "../../app/exports/figure.ts";
import { fetchMissing } from "../download/download.ts";
import { EXIT, usage } from "../exit.ts";
import { assertWritable } from "../export/exporting.ts";
import { isResampled } from "../export/means.ts";
import {
  addAllowIncomplete,
  type AllowIncomplete,
  exitCodeOf,
  incompleteData,
  warnMissingSelection,
} from "../export/missing.ts";
import {
  addSelection,
  addZone,
  commanderParser,
  requireInterval,
  type SelectionOptions,
  STATION_WORDS,
  userPath,
} from "../options/options.ts";
import type { Parsed } from "../options/parse.ts";
import { noteUnlisted, readSelection } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { bytes, many } from "../terminal/text.ts";
import { type AddCommand, examples } from "./types.ts";

/** A length with its unit. Pixels are converted later, with the resolution of another option. */
interface TypedLength {
  readonly text: string;
  readonly length: number;
  readonly unit: LengthUnit;
}

const WIDTH_NAMES = FIGURE_WIDTHS.map(({ id }) => id).join(", ");
const LENGTH = new RegExp(`^(\\d+(?:\\.\\d+)?) ?(${LENGTH_UNITS.join("|")})?$`);

/** Parses `120`, `120mm`, `12cm`, `7in` or `1000px`; without a unit, mm. */
function parseLength(text: string): Parsed<TypedLength> {
  const match = LENGTH.exec(text.trim().toLowerCase());
  if (!match) return failure(`“${text}” is not a length. Write for example 120mm, 12cm, 7in or 1000px.`);
  const unit = LENGTH_UNITS.find((each) => each === match[2]) ?? "mm";
  return success({ text, length: Number(match[1]), unit });
}

/** Parses a length, or the name of a journal's column width. */
function parseWidth(text: string): Parsed<TypedLength> {
  const preset = FIGURE_WIDTHS.find(({ id }) => id === text.trim().toLowerCase());
  if (preset) return success({ text, length: preset.widthMm, unit: "mm" });
  const length = parseLength(text);
  return length.ok ? length : failure(`${length.error} Column widths: ${WIDTH_NAMES}.`);
}

function lengthMm({ text, length, unit }: TypedLength, dpi: number): Parsed<number> {
  const mm = toMm(unit, length, dpi);
  if (mm >= MIN_FIGURE_MM && mm <= MAX_FIGURE_MM) return success(mm);
  return failure(
    `A figure is between ${MIN_FIGURE_MM} and ${MAX_FIGURE_MM} mm wide and high: “${text}” is ${Math.round(mm)} mm.`,
  );
}

interface FigureOptions extends SelectionOptions, AllowIncomplete {
  readonly force?: boolean;
  readonly out: string;
  readonly width: TypedLength;
  readonly height?: TypedLength;
  readonly dpi: number;
  readonly fontSize: number;
  /** False for no title. */
  readonly title?: string | false;
  readonly source: boolean;
  readonly legend: FigureSettings["legend"];
  readonly theme: "light" | "dark";
  readonly resample?: boolean;
  readonly fetch?: boolean;
}

const DEFAULT_WIDTH: TypedLength = {
  text: `${DEFAULT_FIGURE.widthMm}mm`,
  length: DEFAULT_FIGURE.widthMm,
  unit: "mm",
};

export const addFigure: AddCommand = (program, run) => {
  const command = program
    .command("figure")
    .summary("draw cached series as an SVG or PDF figure")
    .description(
      "Draws cached series as the window does, a panel for each variable. Gaps are marked with their cause, and no line " +
        "crosses them. ztd_sigma beside ztd is drawn as a band of ±1σ (formal). The source of the data and stations " +
        "without data are named below the plots. Fonts are embedded. Works offline. PNG figures are saved in the window.",
    )
    .argument("<stations...>", STATION_WORDS)
    .requiredOption("--out <file>", "the file: its name ends in .svg or .pdf")
    .option("--force", "replaces the file if it exists");
  addAllowIncomplete(addZone(addSelection(command, ["ztd"])))
    .option("--resample", "with --interval: averages cached observations here, as “resample” does")
    .option("--fetch", "fetches missing data first; if that fails, writes nothing")
    .addOption(
      new Option("--width <length>", `in mm, cm, in or px, or a column of a journal: ${WIDTH_NAMES}`)
        .argParser(commanderParser(parseWidth))
        .default(DEFAULT_WIDTH, DEFAULT_WIDTH.text),
    )
    .option("--height <length>", "in mm, cm, in or px (default: as the plots need)", commanderParser(parseLength))
    .option("--dpi <number>", "pixels per inch, for sizes in px", commanderParser(within(50, 1_200)), 96)
    .option(
      "--font-size <points>",
      "size of the text in print, pt",
      commanderParser(within(4, 36)),
      DEFAULT_FIGURE.fontPt,
    )
    .option("--title <text>", "the title (default: the quantities)")
    .option("--no-title", "no title and no time range")
    .option("--no-source", "no sentence on the source of the data")
    .addOption(new Option("--legend <place>", "where the legend is").choices(LEGEND_PLACES).default("top"))
    .addOption(new Option("--theme <name>", "colours").choices(["light", "dark"]).default("light"))
    .addHelpText(
      "after",
      examples(
        ["figure Kallio Torsvika --last 7d --out week.svg", "ZTD of a week"],
        [
          "figure Kallio --month 2026-10 --vars ztd,ztd_sigma --width agu-1 --out october.pdf",
          "with ±1σ, for a column",
        ],
        ["figure country:FI --day 2026-10-05 --fetch --no-title --out day.pdf", "for a caption of your own"],
      ),
    )
    .action(
      run(async (shell, words: string[], options: FigureOptions) => {
        const { output, signal } = shell;
        const format = formatOf(options.out);
        const satellite = options.vars.find((variable) => variableKind(variable) === "satellite");
        if (satellite !== undefined)
          throw usage(`${satellite} has a value for each satellite: a figure shows ${SCALAR_VARIABLES.join(", ")}.`);
        requireInterval(options);
        const look = lookOf(options);
        const connection = await shell.connection();
        const { spec } = await readSelection(
          shell,
          connection,
          { words, source: options.fetch ? "service" : "cache" },
          options,
        );
        noteUnlisted(shell, connection, words);
        const { stationIds, variables, range, intervalSeconds, raw } = spec;
        const resampled = await isResampled(shell, connection, spec, options);
        const mode = { intervalSeconds, raw, resampled, zone: options.zone };
        const needed = downloadFor({ ...spec, resampled, format: "csv", heightReference: "WGS84_ELLIPSOID" });
        await assertWritable([userPath(options.out)], "csv", options.force ?? false);
        const fetched = options.fetch ? await fetchMissing(shell, connection, needed) : null;
        if (!fetched) await warnMissingSelection(shell, connection, needed, words);
        const title = options.title === false ? undefined : options.title;
        const request = { stationIds, variables, range, mode, title, path: userPath(options.out), format, look };
        const report = orStop(await (await shell.app()).figure(connection, request, signal));
        const incomplete = incompleteData(connection, needed);
        output.document("figure", { ...report, incomplete });
        if (!output.json) output.print(lines(report, stationLabels(connection.cache.catalogue()), look));
        const code = exitCodeOf(shell, incomplete, options);
        return fetched !== null && fetched.exitCode !== EXIT.ok ? fetched.exitCode : code;
      }),
    );
};

function formatOf(path: string): VectorFormat {
  const ending = extname(path).slice(1).toLowerCase();
  const format = VECTOR_FORMATS.find((each) => each === ending);
  if (format) return format;
  throw usage(
    ending === "png"
      ? "PNG figures are saved in the window (“Save figure…”). Choose a name that ends in .svg or .pdf."
      : `The name ${path} does not determine a format. Choose one that ends in .svg or .pdf.`,
  );
}

/** Figure settings in the form that the window stores. @throws Stop */
function lookOf({ width, height, dpi, fontSize, title, source, legend, theme }: FigureOptions): FigureSettings {
  const mm = (length: TypedLength): number => {
    const read = lengthMm(length, dpi);
    if (read.ok) return read.value;
    throw usage(read.error);
  };
  return {
    ...DEFAULT_FIGURE,
    widthMm: mm(width),
    heightMm: height === undefined ? null : mm(height),
    fontPt: fontSize,
    hasTitle: title !== false,
    hasSource: source,
    legend,
    theme,
  };
}

function lines(report: FigureReport, names: ReadonlyMap<string, string>, look: FigureSettings): string[] {
  const { path, widthMm, heightMm, stationIdsWithoutData, notDrawn, boxedTexts } = report;
  const size = [widthMm, heightMm].map((length) => Math.round(length * 10) / 10).join(" × ");
  const without = stationIdsWithoutData.map((id) => `“${names.get(id) ?? id}”`);
  const isHigher = look.heightMm !== null && heightMm > look.heightMm + 0.5;
  return [
    `${path}  ${bytes(report.bytes)}, ${size} mm`,
    ...(isHigher ? ["The plots need this height."] : []),
    ...(without.length > 0 ? [`Stations without data: ${without.join(", ")}`] : []),
    ...(boxedTexts.length > 0
      ? [`Boxes stand for letters that the font of the PDF lacks: ${boxedTexts.join("; ")}. An SVG has these letters.`]
      : []),
    ...(notDrawn > 0 ? [`${many(notDrawn, "station")} not drawn: a figure has room for ${MAX_LINES}.`] : []),
  ];
}

function within(min: number, max: number): (text: string) => Parsed<number> {
  return (text) => {
    const value = Number(text);
    return text.trim() !== "" && value >= min && value <= max
      ? success(value)
      : failure(`“${text}” is not a number between ${min} and ${max}.`);
  };
}
