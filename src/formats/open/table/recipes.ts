import type { ForeignFile } from "../../foreign/file.ts";
import { describedBy } from "../meaning/columns.ts";
import { degreesOf } from "../sites.ts";
import { textLines } from "../text.ts";
import { formatHeads } from "./heads.ts";
import type { FirstLines } from "./lines.ts";
import { fieldsOf } from "./records.ts";
import type { TableSource } from "./source.ts";

/** A format of the field whose columns its description names, not the file. */
interface Recipe {
  readonly name: string;
  /** null: no description states it. */
  readonly scale: "GPS" | "UTC" | null;
  /**
   * Recognizes a file by its first lines, and names its columns with their units: `pressure hPa, hail`. The fields of a row are
   * read from a line, and from those before it; null for other lines, and for other files.
   */
  open(lines: readonly string[]): readonly [columns: string, read: (line: string) => string[] | null] | null;
}

/**
 * Solution status of RTKLIB 2.4.3, `$TROP` records: week, time of week (s), status of the solution, receiver, and two
 * delays (m). pppoutstat of ppp.c writes the total delay and its standard deviation; rtkoutstat of rtkpos.c, whose state
 * begins with INIT_ZWD, the wet delay of the float and of the fixed solution.
 */
const RTKLIB_STATUS: Recipe = {
  name: "RTKLIB solution status (2.4.3)",
  scale: "GPS",
  open(lines) {
    const records = lines.filter((line) => line.startsWith("$TROP,")).map((line) => line.trim().split(","));
    if (records.length === 0 || records.some(({ length }) => length !== 7)) return null;
    const isPpp = records.some(([, , , status]) => status === PPP_STATUS);
    return [`gps_week, tow, station, ${isPpp ? "ztd m, ztd_sigma m" : "zwd m, zwd_fixed m"}`, rtklibRow];
  },
};

function rtklibRow(line: string): string[] | null {
  const [mark, week = "", tow = "", , receiver, ...values] = line.trim().split(",");
  return mark === "$TROP" ? [week, tow, receiver === "1" ? "rover" : "base", ...values] : null;
}

const PPP_STATUS = "6";

const MET_COLUMNS: Readonly<Record<string, string>> = {
  PR: "pressure hPa",
  TD: "temperature degC",
  HR: "humidity %",
  ZW: "zwd mm",
  ZD: "zhd mm",
  ZT: "ztd mm",
  WD: "wind_direction degree",
  WS: "wind_speed m/s",
  RI: "rain_increment 0.1 mm",
  HI: "hail",
};

/** Values of seven characters: eight beside the epoch, ten on each further line, after four blanks. */
const [MET_WIDTH, MET_BESIDE, MET_FURTHER, MET_INDENT] = [7, 8, 10, 4];

/** RINEX meteorological data, 2.11 (tables A9 to A11) and 3.05 (tables A19 to A21): epochs in GPS time. */
const RINEX_MET: Recipe = {
  name: "RINEX meteorological data (2.11, 3.05)",
  scale: "GPS",
  open(lines) {
    const [version = ""] = labelled(lines, "RINEX VERSION / TYPE");
    if (version[20] !== "M") return null;
    const types = labelled(lines, "# / TYPES OF OBSERV").flatMap((line) => fieldsOf(line.slice(6), "blanks"));
    const station = labelled(lines, "MARKER NAME")[0]?.trim() ?? "";
    const dateWidth = Number(version.slice(0, 9)) < 3 ? 18 : 20;
    const epoch = dateWidth === 18 ? /^( \d\d|\d{2,3})( [ \d]\d){5}/ : /^ ?\d{4}( [ \d]\d){5}/;
    const columns = types.map((type) => MET_COLUMNS[type] ?? type).join(", ");
    let date: string[] = [];
    let values: string[] = [];
    const read = (line: string): string[] | null => {
      if (/[A-Z]{3}/.test(line.slice(60, 80))) return null;
      const isFirst = epoch.test(line);
      if (isFirst) [date, values] = [fieldsOf(line.slice(0, dateWidth), "blanks"), []];
      else if (date.length === 0) return null;
      const start = isFirst ? dateWidth : MET_INDENT;
      const most = Math.min(isFirst ? MET_BESIDE : MET_FURTHER, types.length - values.length);
      for (let i = 0; i < most; i++) values.push(line.slice(start + MET_WIDTH * i, start + MET_WIDTH * (i + 1)).trim());
      if (values.length < types.length) return null;
      const row = [...date, ...values, station];
      date = [];
      return row;
    };
    return [`year, month, day, hour, minute, second, ${columns}, station`, read];
  },
};

const VMF_ROW = /^\s*[A-Z0-9_-]{3,10}\s+\d{5}\.\d{2}\s+0\.00\d+\s+0\.000\d+\s+[012]\.\d+\s+-?0\.\d+\s+\S/;
const VMF_START = "station, mjd, a_h, a_w, zhd m, zwd m";
const VMF_WEATHER = "pressure hPa, temperature degC, vapour_pressure hPa";

/** By the number of columns: VMF3 without and with gradients (V3GR), and VMF1 with mean temperature and height. */
const VMF_COLUMNS: Readonly<Record<number, string>> = {
  9: `${VMF_START}, ${VMF_WEATHER}`,
  13: `${VMF_START}, ${VMF_WEATHER}, gradient_north_h mm, gradient_east_h mm, gradient_north_w mm, gradient_east_w mm`,
  11: `${VMF_START}, tm K, ${VMF_WEATHER}, orthometric_height_m`,
};

/**
 * Site-wise VMF1, VMF3 and V3GR of TU Wien, as read by raPPPid of TU Wien (2023) and by Midgard of Kartverket (parser of
 * VMF1 files of stations): UTC as modified Julian date.
 */
const VMF: Recipe = {
  name: "site-wise VMF of TU Wien",
  scale: "UTC",
  open(lines) {
    const rows = lines.filter((line) => !/^[#!]/.test(line) && line.trim() !== "").slice(0, 20);
    const columns = VMF_COLUMNS[fieldsOf(rows[0] ?? "", "blanks").length];
    if (columns === undefined || !rows.every((row) => VMF_ROW.test(row))) return null;
    return [columns, (line) => (VMF_ROW.test(line) ? fieldsOf(line, "blanks") : null)];
  },
};

const GAMIT_HEAD = /^\*\s*Yr\s+Doy\s+Hr\s+Mn\s+Sec\s+Total Zen\s+Wet Zen\s+Sig Zen\s+PW\s+Sig PW \((m|mm)\)/;
const GAMIT_ROW = /^\s*\d{2,4}\s+\d{1,3}\s+\d/;

/**
 * Output of GAMIT's metutil 3.0 (2009-08-27, metutil.f), and of versions before 2005 in metres. The last comment names the
 * columns; the scale of the epochs is not stated.
 */
const GAMIT_MET: Recipe = {
  name: "GAMIT metutil (3.0)",
  scale: null,
  open(lines) {
    const unit = lines.flatMap((line) => GAMIT_HEAD.exec(line)?.[1] ?? [])[0];
    const row = lines.find((line) => GAMIT_ROW.test(line));
    if (unit === undefined || row === undefined) return null;
    const station = /values for\s+(\w{4})/i.exec(lines.join("\n"))?.[1] ?? "";
    const all = `year, doy, hour, minute, second, ztd X, zwd X, ztd_sigma X, pwv X, pwv_sigma X, pressure hPa, temperature K, zhd mm, gradient_north mm, gradient_north_sigma mm, gradient_east mm, gradient_east_sigma mm`;
    const columns = all.replaceAll("X", unit).split(", ").slice(0, fieldsOf(row, "blanks").length);
    return [
      [...columns, "station"].join(", "),
      (line) => (GAMIT_ROW.test(line) ? [...fieldsOf(line, "blanks"), station] : null),
    ];
  },
};

const PRIDE_HEAD = /^\*\s*Year\s+Mon\s+Day\s+Hour\s+Min\s+Sec\s+ZDD\s+ZWDini\s+ZWDcor/;

/** `ztd` files of PRIDE PPP-AR 3.0: GPS time, dry delay, initial wet delay and its correction (m), whose sum is the total. */
const PRIDE_ZTD: Recipe = {
  name: "PRIDE PPP-AR ztd (3.0)",
  scale: "GPS",
  open(lines) {
    if (!lines.some((line) => PRIDE_HEAD.test(line))) return null;
    const station = labelled(lines, "STATION")[0]?.trim() ?? "";
    const read = (line: string): string[] | null => {
      const fields = fieldsOf(line, "blanks");
      const [dry = Number.NaN, initial = Number.NaN, correction = Number.NaN] = fields.slice(6).map(Number);
      const delays = [dry + initial + correction, dry, initial + correction];
      if (fields.length !== 9 || delays.some(Number.isNaN)) return null;
      return [...fields.slice(0, 6), ...delays.map((delay) => delay.toFixed(6)), station];
    };
    return ["year, month, day, hour, minute, second, ztd m, zhd m, zwd m, station", read];
  },
};

const CSRS_HEAD = /^DIR\s+FRAME\s+STN\s+(DAYofYEAR|DOY)\s+YEAR-MM-DD\s+HR:MN:SS/;

/**
 * `.pos` files of CSRS-PPP 2 and 3 (Natural Resources Canada), as read by H. van der Marel's program of 2019 and later ones:
 * TZD and its uncertainty at 95 % (m), positions in degrees, minutes and seconds. Their description (POS_Description_en.txt)
 * calls date and time those of the observation, and states no scale.
 */
const CSRS_POS: Recipe = {
  name: "CSRS-PPP positions (2, 3)",
  scale: null,
  open(lines) {
    const names = fieldsOf(lines.find((line) => CSRS_HEAD.test(line)) ?? "", "blanks");
    const find = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));
    const [date, latitude, longitude] = [find(/^YEAR/), find(/^LAT(DD|\(d\))$/), find(/^LON(DD|\(d\))$/)];
    const plain = [find(/^STN$/), date, date + 1, find(/^TZD/), find(/^S(D)?TZD/), find(/^HGT/)];
    if ([...plain, latitude, longitude].some((at) => at < 0)) return null;
    const read = (line: string): string[] | null => {
      const fields = fieldsOf(line, "blanks");
      if (fields.length !== names.length || !/^(FWD|BWD)$/.test(fields[0] ?? "")) return null;
      const angles = [latitude, longitude].map((at) => degreesOf(fields.slice(at, at + 3)).toFixed(9));
      return [...plain.map((at) => fields[at] ?? ""), ...angles];
    };
    return ["station, date, time, ztd m, tzd_95_percent m, ellipsoidal_height_m, latitude, longitude", read];
  },
};

/** The content of header lines with a label, in 60 characters, as in RINEX. */
function labelled(lines: readonly string[], label: string): string[] {
  return lines.flatMap((line) => (line.slice(60).trim() === label ? [line.slice(0, 60)] : []));
}

/** Returns a file of a known format as a table; null for other files. */
export function recipeSource(file: ForeignFile, first: FirstLines): TableSource | null {
  for (const { name, scale, open } of [RTKLIB_STATUS, RINEX_MET, VMF, GAMIT_MET, PRIDE_ZTD, CSRS_POS]) {
    const [names, read] = open(first.lines) ?? [];
    if (!names || !read) continue;
    const columns = names.split(", ").map((each) => {
      const [column = "", unit] = each.split(/ (.*)/);
      return unit === undefined ? column : describedBy({ name: column, longName: null, standardName: null, unit });
    });
    const rows = first.lines.map(read).filter((fields) => fields !== null);
    const described = scale === null ? { withoutScale: name } : { comments: [`time system: ${scale}`] };
    return {
      format: "csv",
      heads: formatHeads(name, columns, rows).map((head) => ({ ...head, ...described })),
      first,
      *records() {
        const [, again = read] = open(first.lines) ?? [];
        for (const lines of textLines(file)) yield lines.map(again).filter((fields) => fields !== null);
      },
      remarks: [`Read as ${name}.`],
    };
  }
  return null;
}
