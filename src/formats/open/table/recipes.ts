import { degreesOf } from "../sites.ts";
import { type Column, columnsIn, columnsOf, type Recipe, tableOf } from "./recipe.ts";

const PPP_STATUS = "6";
const CLOCK = ["hour", "minute", "second"];
const DATE_AND_CLOCK = columnsIn(null, "year", "month", "day", ...CLOCK);

/**
 * Solution status of RTKLIB 2.4.3, `$TROP` records: week, time of week (s), status of the solution, receiver, and two
 * delays (m). pppoutstat of ppp.c writes the total delay and its standard deviation; rtkoutstat of rtkpos.c, whose state
 * begins with INIT_ZWD, the wet delay of the float and of the fixed solution.
 */
const RTKLIB_STATUS: Recipe = {
  name: "RTKLIB solution status (2.4.3)",
  open(lines) {
    const records = lines.filter((line) => line.startsWith("$TROP,")).map((line) => line.trim().split(","));
    if (records.length === 0 || records.some(({ length }) => length !== 7)) return null;
    const isPpp = records.some(([, , , status]) => status === PPP_STATUS);
    const delays = columnsIn("m", ...(isPpp ? ["ztd", "ztd_sigma"] : ["zwd", "zwd_fixed"]));
    return tableOf("GPS", [...columnsIn(null, "gps_week", "tow", "station"), ...delays], () => (line) => {
      if (!line.startsWith("$TROP,")) return null;
      const [, week = "", tow = "", , receiver, ...values] = line.trim().split(",");
      return [week, tow, receiver === "1" ? "rover" : "base", ...values];
    });
  },
};

/** In the order of their types. */
const [MET_TYPES, MET_COLUMNS] = [
  ["PR", "TD", "HR", "ZW", "ZD", "ZT", "WD", "WS", "RI", "HI"],
  columnsOf(
    "pressure hPa, temperature degC, humidity %, zwd mm, zhd mm, ztd mm, wind_direction degree, wind_speed m/s, rain_increment 0.1 mm, hail",
  ),
];

/** Values of seven characters: eight beside the epoch, ten on each further line, after four blanks. */
const [MET_WIDTH, MET_BESIDE, MET_FURTHER, MET_INDENT] = [7, 8, 10, 4];

/** RINEX meteorological data, 2.11 (tables A9 to A11) and 3.05 (tables A19 to A21): epochs in GPS time. */
const RINEX_MET: Recipe = {
  name: "RINEX meteorological data (2.11, 3.05)",
  open(lines) {
    const [version = ""] = labelled(lines, "RINEX VERSION / TYPE");
    if (version[20] !== "M") return null;
    const types = labelled(lines, "# / TYPES OF OBSERV").flatMap((line) => fieldsIn(line.slice(6)));
    const station = labelled(lines, "MARKER NAME")[0]?.trim() ?? "";
    const dateWidth = Number(version.slice(0, 9)) < 3 ? 18 : 20;
    const epoch = dateWidth === 18 ? /^( \d\d|\d{2,3})( [ \d]\d){5}/ : /^ ?\d{4}( [ \d]\d){5}/;
    const columns = types.map((type) => MET_COLUMNS[MET_TYPES.indexOf(type)] ?? ([type, null] as const));
    return tableOf("GPS", [...DATE_AND_CLOCK, ...columns, ...columnsIn(null, "station")], () => {
      let date: string[] = [];
      let values: string[] = [];
      return (line) => {
        if (/[A-Z]{3}/.test(line.slice(60, 80))) return null;
        const isFirst = epoch.test(line);
        if (isFirst) [date, values] = [line.slice(0, dateWidth).trim().split(/\s+/), []];
        else if (date.length === 0) return null;
        const start = isFirst ? dateWidth : MET_INDENT;
        const most = Math.min(isFirst ? MET_BESIDE : MET_FURTHER, types.length - values.length);
        for (let i = 0; i < most; i++)
          values.push(line.slice(start + MET_WIDTH * i, start + MET_WIDTH * (i + 1)).trim());
        if (values.length < types.length) return null;
        const row = [...date, ...values, station];
        date = [];
        return row;
      };
    });
  },
};

const VMF_ROW = /^\s*[A-Z0-9_-]{3,10}\s+\d{5}\.\d{2}\s+0\.00\d+\s+0\.000\d+\s+[012]\.\d+\s+-?0\.\d+\s+\S/;

const VMF_START = [...columnsIn(null, "station", "mjd", "a_h", "a_w"), ...columnsIn("m", "zhd", "zwd")];

const VMF_WEATHER = columnsOf("pressure hPa, temperature degC, vapour_pressure hPa");

const VMF_GRADIENTS = columnsIn("mm", "gradient_north_h", "gradient_east_h", "gradient_north_w", "gradient_east_w");

/** By the number of columns: VMF3 without and with gradients (V3GR), and VMF1 with mean temperature and height. */
const VMF_COLUMNS: ReadonlyMap<number, readonly Column[]> = new Map<number, readonly Column[]>([
  [9, [...VMF_START, ...VMF_WEATHER]],
  [13, [...VMF_START, ...VMF_WEATHER, ...VMF_GRADIENTS]],
  [11, [...VMF_START, ["tm", "K"], ...VMF_WEATHER, ["orthometric_height_m", null]]],
]);

/**
 * Site-wise VMF1, VMF3 and V3GR of TU Wien, as read by raPPPid of TU Wien (2023) and by Midgard of Kartverket (parser of
 * VMF1 files of stations): UTC as modified Julian date.
 */
const VMF: Recipe = {
  name: "site-wise VMF of TU Wien",
  open(lines) {
    const rows = lines.filter((line) => !/^[#!]/.test(line) && line.trim() !== "").slice(0, 20);
    const columns = VMF_COLUMNS.get(fieldsIn(rows[0] ?? "").length);
    if (!columns || !rows.every((row) => VMF_ROW.test(row))) return null;
    return tableOf("UTC", columns, () => (line) => (VMF_ROW.test(line) ? fieldsIn(line) : null));
  },
};

const GAMIT_HEAD = /^\*\s*Yr\s+Doy\s+Hr\s+Mn\s+Sec\s+Total Zen\s+Wet Zen\s+Sig Zen\s+PW\s+Sig PW \((m|mm)\)/;

const GAMIT_COLUMNS = columnsOf(
  "pressure hPa, temperature K, zhd mm, gradient_north mm, gradient_north_sigma mm, gradient_east mm, gradient_east_sigma mm",
);

/**
 * Output of GAMIT's metutil 3.0 (2009-08-27, metutil.f), and of versions before 2005 in metres. The last comment names the
 * columns; the scale of the epochs is not stated.
 */
const GAMIT_MET: Recipe = {
  name: "GAMIT metutil (3.0)",
  open(lines) {
    const unit = lines.flatMap((line) => GAMIT_HEAD.exec(line)?.[1] ?? [])[0];
    const row = lines.find((line) => GAMIT_ROW.test(line));
    if (unit === undefined || row === undefined) return null;
    const station = /values for\s+(\w{4})/i.exec(lines.join("\n"))?.[1] ?? "";
    const delays = columnsIn(unit, "ztd", "zwd", "ztd_sigma", "pwv", "pwv_sigma");
    const times = columnsIn(null, "year", "doy", ...CLOCK);
    const columns = [...times, ...delays, ...GAMIT_COLUMNS].slice(0, fieldsIn(row).length);
    return tableOf("asked", [...columns, ...columnsIn(null, "station")], () => (line) => {
      return GAMIT_ROW.test(line) ? [...fieldsIn(line), station] : null;
    });
  },
};

const GAMIT_ROW = /^\s*\d{2,4}\s+\d{1,3}\s+\d/;

const PRIDE_HEAD = /^\*\s*Year\s+Mon\s+Day\s+Hour\s+Min\s+Sec\s+ZDD\s+ZWDini\s+ZWDcor/;

/** `ztd` files of PRIDE PPP-AR 3.0: GPS time, dry delay, initial wet delay and its correction (m), whose sum is the total. */
const PRIDE_ZTD: Recipe = {
  name: "PRIDE PPP-AR ztd (3.0)",
  open(lines) {
    if (!lines.some((line) => PRIDE_HEAD.test(line))) return null;
    const station = labelled(lines, "STATION")[0]?.trim() ?? "";
    const columns = [...DATE_AND_CLOCK, ...columnsIn("m", "ztd", "zhd", "zwd"), ...columnsIn(null, "station")];
    return tableOf("GPS", columns, () => (line) => {
      const fields = fieldsIn(line);
      const [dry = Number.NaN, ...wet] = fields.slice(6).map(Number);
      const sum = wet.reduce((a, b) => a + b, 0);
      if (fields.length !== 9 || Number.isNaN(dry + sum)) return null;
      return [...fields.slice(0, 6), (dry + sum).toFixed(6), dry.toFixed(6), sum.toFixed(6), station];
    });
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
  open(lines) {
    const head = lines.find((line) => CSRS_HEAD.test(line));
    if (head === undefined) return null;
    const names = fieldsIn(head);
    const find = (pattern: RegExp): number => names.findIndex((name) => pattern.test(name));
    const [station, date, tzd, sigma, height] = [/^STN$/, /^YEAR/, /^TZD/, /^S(D)?TZD/, /^HGT/].map(find);
    const [latitude, longitude] = [find(/^LAT(DD|\(d\))$/), find(/^LON(DD|\(d\))$/)];
    if ([station, date, tzd, sigma, height, latitude, longitude].some((at) => at === undefined || at < 0)) return null;
    const places = columnsIn(null, "latitude", "longitude", "ellipsoidal_height_m");
    const delays = columnsIn("m", "ztd", "tzd_95_percent");
    return tableOf("asked", [...columnsIn(null, "station", "date", "time"), ...delays, ...places], () => (line) => {
      const fields = fieldsIn(line);
      if (fields.length !== names.length || !/^(FWD|BWD)$/.test(fields[0] ?? "")) return null;
      const at = (index = -1): string => fields[index] ?? "";
      const angle = (index: number): string => degreesOf(fields.slice(index, index + 3)).toFixed(9);
      const place = [angle(latitude), angle(longitude), at(height)];
      return [at(station), at(date), at((date ?? 0) + 1), at(tzd), at(sigma), ...place];
    });
  },
};

/** The content of header lines with a label, in 60 characters, as in RINEX. */
function labelled(lines: readonly string[], label: string): string[] {
  return lines.flatMap((line) => (line.slice(60).trim() === label ? [line.slice(0, 60)] : []));
}

function fieldsIn(line: string): string[] {
  return line.trim().split(/\s+/);
}

export const RECIPES: readonly Recipe[] = [RTKLIB_STATUS, RINEX_MET, VMF, GAMIT_MET, PRIDE_ZTD, CSRS_POS];
