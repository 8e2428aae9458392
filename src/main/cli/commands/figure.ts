import { extname } from "node:path";
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
import { choice, command, type Parsed, read, required, type Values } from "../command.ts";
import { usage } from "../exit.ts";
import { assertWritable } from "../export/exporting.ts";
import { fetchCommand } from "../download/commands.ts";
import { exitCodeOf, fetchOrWarn, incompleteData, isResampled } from "../export/missing.ts";
import { ALLOW_INCOMPLETE, FETCH, RESAMPLE, requireInterval, selection, STATIONS, ZONE } from "../options/options.ts";
import { numberIn } from "../options/parse.ts";
import { userPath } from "../options/paths.ts";
import { noteUnlisted, readSelection, warnOfRemoved } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { bytes, many } from "../terminal/text.ts";

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

const WORDS = {
  ...STATIONS,
  "--out <file>": required("the file: its name ends in .svg or .pdf"),
  "--force": "replaces the file if it exists",
  ...selection(["ztd"]),
  ...ZONE,
  ...ALLOW_INCOMPLETE,
  ...RESAMPLE,
  ...FETCH,
  "--width <length>": read(
    `in mm, cm, in or px, or a column of a journal: ${WIDTH_NAMES}`,
    parseWidth,
    `${DEFAULT_FIGURE.widthMm}mm`,
  ),
  "--height <length>": read("in mm, cm, in or px (default: as the plots need)", parseLength),
  "--dpi <number>": read("pixels per inch, for sizes in px", numberIn(50, 1_200), "96"),
  "--font-size <points>": read("size of the text in print, pt", numberIn(4, 36), String(DEFAULT_FIGURE.fontPt)),
  "--title <text>": "the title (default: the quantities)",
  "--no-title": "no title and no time range",
  "--no-source": "no sentence on the source of the data",
  "--legend <place>": choice("where the legend is", LEGEND_PLACES, "top"),
  "--theme <name>": choice("colours", ["light", "dark"], "light"),
};

export const addFigure = command({
  description:
    "Draws cached series as the window does, a panel for each variable. Gaps are marked with their cause, and no line " +
    "crosses them. ztd_sigma beside ztd is drawn as a band of ±1σ (formal). The source of the data and stations " +
    "without data are named below the plots. Fonts are embedded. Works offline. PNG figures are saved in the window.",
  words: WORDS,
  examples: [
    ["figure Kallio Torsvika --last 7d --out week.svg", "ZTD of a week"],
    ["figure Kallio --month 2026-10 --vars ztd,ztd_sigma --width agu-1 --out october.pdf", "with ±1σ, for a column"],
    ["figure country:FI --day 2026-10-05 --fetch --no-title --out day.pdf", "for a caption of your own"],
  ],
  async run(shell, values) {
    const { output, signal } = shell;
    const format = formatOf(values.out);
    const satellite = values.vars.find((variable) => variableKind(variable) === "satellite");
    if (satellite !== undefined)
      throw usage(`${satellite} has a value for each satellite: a figure shows ${SCALAR_VARIABLES.join(", ")}.`);
    requireInterval(values);
    const look = figureLook(values);
    const path = userPath(values.out);
    const connection = await shell.connection();
    const { spec } = await readSelection(shell, connection, values, { source: values.fetch ? "service" : "cache" });
    noteUnlisted(shell, connection, values.stations);
    warnOfRemoved(shell, connection, values.stations);
    const { stationIds, variables, range, intervalSeconds, raw } = spec;
    const resampled = await isResampled(shell, connection, spec, values);
    const needed = downloadFor({ ...spec, resampled, format: "csv", heightReference: "WGS84_ELLIPSOID" });
    await assertWritable([path], "csv", values.force ?? false);
    const suggested = values.fetch ? null : fetchCommand(needed, values.stations);
    const fetched = await fetchOrWarn(shell, connection, needed, suggested);
    const title = typeof values.title === "string" ? values.title : undefined;
    const mode = { intervalSeconds, raw, resampled, zone: values.zone };
    const request = { stationIds, variables, range, mode, title, path, format, look };
    const report = orStop(await (await shell.app()).figure(connection, request, { signal }));
    const incomplete = incompleteData(connection, needed);
    output.document("figure", { ...report, incomplete });
    output.print(reportLines(report, stationLabels(connection.cache.catalogue()), look));
    return exitCodeOf(shell, incomplete, values, fetched);
  },
});

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
function figureLook({
  width,
  height,
  dpi,
  fontSize,
  title,
  source,
  legend,
  theme,
}: Values<typeof WORDS>): FigureSettings {
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

function reportLines(report: FigureReport, names: ReadonlyMap<string, string>, look: FigureSettings): string[] {
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
