/** A line of a file of a known format as fields; null for other lines. */
type LineReader = (line: string) => string[] | null;

/** A format of the field that names its columns in its description, not in the file. */
interface Recipe {
  /** Name and version, for the notes. */
  readonly name: string;
  /** Returns columns and a reader of lines by the first lines; null for other files. */
  open(lines: readonly string[]): RecipeTable | null;
}

export interface RecipeTable {
  readonly names: readonly string[];
  readonly units: readonly (string | null)[];
  readonly scale: "GPS" | "UTC";
  /** The station of a file that has one, as the last column. */
  readonly read: LineReader;
}

/** RTKLIB solution status, `$TROP` records: week, time of week (s), status, receiver, ZTD float and fixed (m). RTKLIB 2.4, rtkpos.c. */
const RTKLIB_STATUS: Recipe = {
  name: "RTKLIB solution status (2.4)",
  open(lines) {
    if (!lines.some((line) => line.startsWith("$TROP,"))) return null;
    return {
      names: ["gps_week", "tow", "status", "receiver", "ztd", "fixed"],
      units: [null, "s", null, null, "m", "m"],
      scale: "GPS",
      read: (line) => (line.startsWith("$TROP,") ? line.trim().split(",").slice(1, 7) : null),
    };
  },
};

const MET_UNITS: Readonly<Record<string, readonly [name: string, unit: string]>> = {
  PR: ["pressure", "hPa"],
  TD: ["temperature", "degC"],
  HR: ["humidity", "%"],
  ZW: ["zwd", "mm"],
  ZD: ["zhd", "mm"],
  ZT: ["ztd", "mm"],
  WD: ["wind_direction", "degree"],
  WS: ["wind_speed", "m/s"],
  RI: ["rain_increment", "0.1 mm"],
  HI: ["hail", ""],
};

/** RINEX meteorological data 2.11 and 3.05 (IGS/RTCM), tables A10 and A20: epochs in GPS time, values as F7.1. */
const RINEX_MET: Recipe = {
  name: "RINEX meteorological data",
  open(lines) {
    const labelled = (label: string): string[] => lines.filter((line) => line.slice(60).trim() === label);
    const [version = ""] = labelled("RINEX VERSION / TYPE");
    const types = labelled("# / TYPES OF OBSERV").flatMap((line) => line.slice(6, 60).trim().split(/\s+/));
    // More than eight values continue on further lines.
    if (version[20] !== "M" || types.length > 8) return null;
    const station = labelled("MARKER NAME")[0]?.slice(0, 60).trim() ?? "";
    const isOld = Number(version.slice(0, 9)) < 3;
    const dateWidth = isOld ? 18 : 20;
    const epoch = isOld ? /^( \d\d|\d{2,3})( [ \d]\d){5}/ : /^ ?\d{4}( [ \d]\d){5}/;
    const read: LineReader = (line) => {
      if (line.slice(60, 80).trim() !== "" && /[A-Z]{3}/.test(line.slice(60, 80))) return null;
      if (!epoch.test(line)) return null;
      const values = types.map((_, i) => line.slice(dateWidth + 7 * i, dateWidth + 7 * (i + 1)).trim());
      return [...line.slice(0, dateWidth).trim().split(/\s+/), ...values, station];
    };
    const known = types.map((type) => MET_UNITS[type] ?? ([type, ""] as const));
    return {
      names: ["year", "month", "day", "hour", "minute", "second", ...known.map(([name]) => name), "station"],
      units: [null, null, null, null, null, null, ...known.map(([, unit]) => unit || null), null],
      scale: "GPS",
      read,
    };
  },
};

const VMF3_ROW =
  /^\s*\S{4,10}\s+\d{5}\.\d{2}\s+0\.00\d+\s+0\.000\d+\s+[012]\.\d+\s+-?0\.\d+\s+\d{3,4}\.\d+\s+-?\d+\.\d+\s+-?\d+\.\d+/;

/** Site-wise VMF3 and VMF1 of TU Wien (vmf.geo.tuwien.ac.at): station, MJD, a_h, a_w, ZHD, ZWD (m), hPa, °C, hPa. */
const VMF3: Recipe = {
  name: "site-wise VMF of TU Wien",
  open(lines) {
    const rows = lines.filter((line) => !line.startsWith("#") && line.trim() !== "");
    if (rows.length === 0 || !rows.slice(0, 20).every((row) => VMF3_ROW.test(row))) return null;
    return {
      names: ["station", "mjd", "a_h", "a_w", "zhd", "zwd", "pressure", "temperature", "vapour_pressure"],
      units: [null, null, null, null, "m", "m", "hPa", "degC", "hPa"],
      scale: "UTC",
      read: (line) => (VMF3_ROW.test(line) ? line.trim().split(/\s+/).slice(0, 9) : null),
    };
  },
};

const GAMIT_HEAD = /^\*\s*Yr\s+Doy\s+Hr\s+Mn\s+Sec\s+(Total Zen.*)$/;
const GAMIT_NAMES: readonly (readonly [RegExp, string, string])[] = [
  [/^Total Zen/, "ztd", "mm"],
  [/^Sig Zen/, "ztd_sigma", "mm"],
  [/^Wet Zen/, "zwd", "mm"],
  [/^PW/, "pwv", "mm"],
  [/^Press/, "pressure", "hPa"],
  [/^Temp/, "temperature", "K"],
  [/^ZHD/, "zhd", "mm"],
];

/** Output of GAMIT's metutil (10.7): epochs in GPS time, delays and water in mm, in columns that its last comment names. */
const GAMIT_MET: Recipe = {
  name: "GAMIT metutil (10.7)",
  open(lines) {
    const heads = lines.flatMap((line) => GAMIT_HEAD.exec(line)?.[1] ?? []);
    const [head] = heads;
    if (head === undefined) return null;
    const station = /values for\s+(\w{4,9})/i.exec(lines.join("\n"))?.[1] ?? "";
    const found = head
      .trim()
      .split(/\s{2,}/)
      .map((text) => GAMIT_NAMES.find(([pattern]) => pattern.test(text))?.slice(1) ?? [text, null]);
    return {
      names: ["year", "doy", "hour", "minute", "second", ...found.map(([name]) => String(name)), "station"],
      units: [null, null, null, null, null, ...found.map(([, unit]) => (unit as string | null) ?? null), null],
      scale: "GPS",
      read: (line) => (/^\s*\d{2,4}\s+\d{1,3}\s/.test(line) ? [...line.trim().split(/\s+/), station] : null),
    };
  },
};

export const RECIPES: readonly Recipe[] = [RTKLIB_STATUS, RINEX_MET, VMF3, GAMIT_MET];

/** Formats that name their columns themselves, or whose names other readers know, for the notes. */
const NAMED: readonly (readonly [name: string, pattern: RegExp, scale: "GPS" | null])[] = [
  ["TOA5 of Campbell Scientific", /^"?TOA5"?,/, null],
  ["GeoCSV 2.0", /^#\s*dataset:\s*GeoCSV/i, null],
  ["CSRS-PPP positions", /^HDR .*\n(.*\n){0,12}DIR\s+FRAME\s+STN/, "GPS"],
  ["NGL tenv3", /^site YYMMMDD yyyy\.yyyy __MJD/, null],
];

/** The name of a format that reads like any table, and the time scale of its description; null for other tables. */
export function namedFormat(lines: readonly string[]): { readonly name: string; readonly scale: "GPS" | null } | null {
  const text = lines.slice(0, 20).join("\n");
  const [name, , scale = null] = NAMED.find(([, pattern]) => pattern.test(text)) ?? [];
  return name === undefined ? null : { name, scale };
}
