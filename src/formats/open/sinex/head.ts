import { type Cell, cellOfEpochs, POINT } from "#shared/series/cell.ts";
import { heightsOf, type Position } from "#shared/station/position.ts";
import type { ColumnFacts } from "../meaning/columns.ts";
import { WGS84 } from "#shared/service/catalogue.ts";
import { degreesOf, DOMES, heightIn, positionOf } from "../sites.ts";
import type { TimeScale } from "../time/zones.ts";
import { short } from "../meaning/noValue.ts";
import { lengthOf } from "../meaning/survey.ts";

/** A comment of files of this program, whose rows may have any epochs. */
const OF_MOMENTS = "Every observation.";

const { semiMajorAxisM: A_M, eccentricitySquared: E2 } = WGS84;

/** Finds Earth-centred coordinates in a line: three consecutive numbers whose distance from the centre is an Earth radius. */
function parseCoordinates(line: string): Position | null {
  const numbers = line.trim().split(/\s+/).map(Number);
  for (let i = 0; i + 2 < numbers.length; i++) {
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = numbers.slice(i, i + 3);
    const radius = Math.hypot(x, y, z);
    if (radius > 6.3e6 && radius < 6.5e6) return onEllipsoid(x, y, z);
  }
  return null;
}

function onEllipsoid(x: number, y: number, z: number): Position {
  const ring = Math.hypot(x, y);
  let latitude = Math.atan2(z, ring * (1 - E2));
  // The error decreases by a factor of 300 per iteration.
  for (let round = 0; round < 6; round++) {
    const normal = A_M / Math.sqrt(1 - E2 * Math.sin(latitude) ** 2);
    latitude = Math.atan2(z + E2 * normal * Math.sin(latitude), ring);
  }
  const [sine, cosine] = [Math.sin(latitude), Math.cos(latitude)];
  const height = ring * cosine + z * sine - A_M * Math.sqrt(1 - E2 * sine ** 2);
  return {
    latitudeDeg: degrees(latitude),
    longitudeDeg: degrees(Math.atan2(y, x)),
    heights: heightsOf({ ellipsoid: Math.round(height * 1_000) / 1_000 }),
  };
}

/** Converts to degrees with nine decimals: a tenth of a millimetre on the ground. */
function degrees(radians: number): number {
  return Math.round((radians * 180e9) / Math.PI) / 1e9;
}

type Site = ReturnType<typeof siteIn>;

/** Header of SITE/ID in version 2.00, for files without a header line. */
const SITE_HEAD = "*STATION__ PT __DOMES__ T _STATION_DESCRIPTION__ _LONGITUDE _LATITUDE_ _HGT_ELI_ _HGT_MSL_";

/** Reads a line of SITE/ID by the positions of the column headers, because centres omit or reorder columns. */
function siteIn(line: string, head: string) {
  const field = (header: RegExp): string => {
    const found = header.exec(head);
    if (!found) return "";
    // Rows may be a column or two off: a number is not cut.
    const isWord = (at: number): boolean => /^\S\S$/.test(line.slice(at - 1, at + 1));
    let [start, end] = [found.index, found.index + found[0].length];
    while (isWord(start)) start--;
    while (isWord(end)) end++;
    return line.slice(start, end).trim();
  };
  const angle = (header: RegExp): number => degreesOf(field(header).split(/\s+/));
  const height = (header: RegExp): number | null => heightIn(Number(field(header) || Number.NaN));
  const position = positionOf({
    latitudeDeg: angle(/_*(?:LATITUDE|APPROX_LAT)_*/),
    longitudeDeg: angle(/_*(?:LONGITUDE|APPROX_LON)_*/),
    heights: { ellipsoid: height(/_*(?:HGT_ELI|APP_H)_*/), geoid: height(/_*HGT_MSL_*/) },
  });
  // The identifier of the service in an exported file.
  const at = head.indexOf("_STATION_ID_");
  const stationId = (at < 0 ? "" : line.slice(at).trim()) || null;
  return { stationId, position, domes: DOMES.exec(field(/_*DOMES_*/))?.[0] ?? null };
}

export class SinexMetadata {
  readonly #words = new Map<string, string[]>();
  readonly #reference = new Map<string, string>();
  readonly #sites = new Map<string, Site>();
  readonly #exact = new Map<string, Position>();
  #siteHead = SITE_HEAD;
  #rowHeads: string[] = [];
  #isOfMoments = false;

  /** A line of a block that is not TROP/SOLUTION. */
  line(block: string, line: string): void {
    if (line.startsWith("*")) {
      if (block === "SITE/ID" && /LATITUDE|APPROX_LAT/.test(line)) this.#siteHead = line;
      return;
    }
    const code = line.trimStart().split(/\s/, 1)[0] ?? "";
    if (block === "TROP/DESCRIPTION") this.#describe(line.trim());
    else if (block === "FILE/REFERENCE") this.#reference.set(line.slice(0, 19).trim(), line.slice(19).trim());
    else if (block === "FILE/COMMENT") this.#isOfMoments ||= line.trim() === OF_MOMENTS;
    else if (block === "SITE/ID") this.#site(code, line);
    else if (/^(SITE|TROP)\/+(STA_)?COORDINATES$/.test(block) && !this.#exact.has(code)) {
      const position = parseCoordinates(line);
      if (position) this.#exact.set(code, position);
    }
  }

  /** Reads the comment line with column headers, used if there is no list of fields. */
  rowHeads(line: string): void {
    const heads = line.slice(1).trim().split(/\s+/);
    if (/^_*(SITE|STATION|CODE|STAT)_*$/i.test(heads[0] ?? "") && /EPOCH/i.test(heads[1] ?? ""))
      this.#rowHeads = heads.slice(2).map((head) => head.replaceAll(/^_+|_+$/g, ""));
  }

  fields(): ColumnFacts[] {
    const older = [1, 2, 3, 4, 5].flatMap((n) => this.#words.get(`SOLUTION_FIELDS_${n}`) ?? []);
    const names = this.#words.get("TROPO PARAMETER NAMES") ?? (older.length > 0 ? older : this.#rowHeads);
    return fieldsOf(names, this.#factors());
  }

  get hasUnits(): boolean {
    return this.#factors() !== null;
  }

  /** In capitals; null if not stated. */
  get timeSystem(): string | null {
    return this.#words.get("TIME SYSTEM")?.[0]?.toUpperCase() ?? null;
  }

  /**
   * What the values at these times stand for: as exported files of this program state it, or by their epochs.
   * @param timesMs UTC
   * @param scale of the file; null: UTC
   */
  cell(timesMs: Float64Array, scale: TimeScale | null): Cell | null {
    if (this.#isOfMoments) return POINT;
    const key = ["TROPO SAMPLING INTERVAL", "SAMPLING TROP"].find((each) => this.#words.has(each)) ?? "";
    const seconds = Number(this.#words.get(key)?.[0]);
    if (!(seconds > 0)) return null;
    const [firstMs = 0] = timesMs;
    const offsetMs = scale ? firstMs - scale.toUtc(firstMs) : 0;
    const inScale = timesMs.map((timeMs) => timeMs + offsetMs);
    return cellOfEpochs(inScale, seconds * 1_000) ?? cellOfEpochs(timesMs, seconds * 1_000);
  }

  reference(type: "DESCRIPTION" | "OUTPUT"): string | null {
    return this.#reference.get(type) || null;
  }

  site(code: string): Site & { readonly stationId: string } {
    const { stationId = null, position = null, domes = null } = this.#sites.get(code) ?? {};
    return { stationId: stationId ?? code, position: position ?? this.#exact.get(code) ?? null, domes };
  }

  /** Returns a factor for each name; null if their numbers differ. */
  #factors(): number[] | null {
    const factors = this.#words.get("TROPO PARAMETER UNITS")?.map(Number);
    const isWhole = factors?.length === this.#words.get("TROPO PARAMETER NAMES")?.length;
    return factors && isWhole && factors.every((f) => Number.isFinite(f) && f > 0) ? factors : null;
  }

  #site(code: string, line: string): void {
    const [known, own] = [this.#sites.get(code), siteIn(line, this.#siteHead)];
    this.#sites.set(code, {
      stationId: own.stationId ?? known?.stationId ?? null,
      position: known?.position ?? own.position,
      domes: own.domes ?? known?.domes ?? null,
    });
  }

  #describe(line: string): void {
    const [whole = "", key] =
      /^(TROPO PARAMETER (?:NAMES|UNITS)|TROPO SAMPLING INTERVAL|SAMPLING TROP|TIME SYSTEM|SOLUTION[_ ]FIELDS_[1-5])\s+/.exec(
        line,
      ) ?? [];
    if (key !== undefined)
      this.#words.set(key.replace("SOLUTION ", "SOLUTION_"), line.slice(whole.length).split(/\s+/));
  }
}

/** Parameters of SINEX_TRO 2.00: name and base unit. */
const PARAMETERS: Readonly<Record<string, readonly [longName: string, unit: string]>> = {
  TROTOT: ["Zenith total delay", "m"],
  TROWET: ["Zenith wet delay", "m"],
  TRODRY: ["Zenith hydrostatic delay", "m"],
  TGNTOT: ["Total delay gradient, north", "m"],
  TGETOT: ["Total delay gradient, east", "m"],
  TGNWET: ["Wet delay gradient, north", "m"],
  TGEWET: ["Wet delay gradient, east", "m"],
  TGNDRY: ["Hydrostatic delay gradient, north", "m"],
  TGEDRY: ["Hydrostatic delay gradient, east", "m"],
  IWV: ["Integrated water vapour", "kg m-2"],
  PRESS: ["Pressure", "hPa"],
  TEMDRY: ["Temperature", "K"],
  HUMREL: ["Relative humidity", "%"],
  WMTEMP: ["Weighted mean temperature", "K"],
};
/** Names in older files and of individual centres. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  TRWET: "TROWET",
  GRTOTN: "TGNTOT",
  GRTOTE: "TGETOT",
  WVAPOR: "IWV",
  PWV: "IWV",
  MTEMP: "WMTEMP",
};
const DEVIATION = /^_?(STDDEV|STDEV|SIGMA|SIG)$/;

/**
 * Returns what a file says about the columns of TROP/SOLUTION. A STDDEV belongs to the preceding parameter.
 * @param factors factors of the base units (TROPO PARAMETER UNITS of 2.00); null if not stated: delays and gradients
 * then have no unit, other parameters are in base units
 */
function fieldsOf(names: readonly string[], factors: readonly number[] | null): ColumnFacts[] {
  const taken = new Map<string, number>();
  let parameter = "";
  return names.map((stated, i) => {
    const isDeviation = DEVIATION.test(stated.toUpperCase());
    if (!isDeviation) parameter = OTHER_NAMES[stated.toUpperCase()] ?? stated.toUpperCase();
    const known = Object.hasOwn(PARAMETERS, parameter) ? PARAMETERS[parameter] : undefined;
    const [parameterName = null, baseUnit = null] = known ?? [];
    const own = isDeviation ? `${parameter}_STDDEV`.replace(/^_/, "") : stated;
    const times = 1 + (taken.get(own) ?? 0);
    taken.set(own, times);
    const name = times === 1 ? own : `${own}_${times}`;
    const longName = isDeviation && parameterName !== null ? `${parameterName}, standard deviation` : parameterName;
    const isLength = baseUnit === "m";
    const factor = factors?.[i] ?? 1;
    const length = isLength ? lengthOf(1_000 / factor) : undefined;
    const part = factor === 1 ? baseUnit : `${short(1 / factor)} ${baseUnit ?? ""}`.trim();
    const unit = isLength && factors === null ? null : (length?.unit ?? part);
    const raw = { name, longName, standardName: null, unit };
    return { heading: name, raw, unitBy: "its TROPO PARAMETER UNITS", isOfFormat: true };
  });
}
