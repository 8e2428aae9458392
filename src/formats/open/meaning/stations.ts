import type { ColumnRole } from "#shared/file/columns.ts";
import { type Surface, surfaceNamed } from "#shared/station/position.ts";

/** “Station” in other languages. */
const TRANSLATED =
  "stationen|mess_?station|stasjon(en)?|estacion|estacao|estacio|stazione|statie|stacj[ai]|stanice|stanica|postaja|asema|havaintoasema|allomas|istasyon|jaam|stacija|stotis|stoð|станция|станція|观测站|測站|测站|台站|站点|站名|站[号號]|区站号|观测点|観測局|観測所|観測点|局名|관측소";
const KINDS = `stations?|site|stn|sta|stat|marker|monument|mount_?point|receiver|rcvr|platform|location|wmo|wigos|gnss|point|${TRANSLATED}`;
const ENDINGS =
  "ids?|ident|identifier|code|name|nam|no|nr|num|number|keyword|key|label|abbr|namn|navn|nombre|nom|nome|nummer|numero|numer|nazwa|kennung|kod|kode|codigo|codice|nimi";

const DOMES_NUMBER = /^domes(_?(no|num|number))?$/;
/** Names of columns and variables that tell which station a row belongs to, the surest first. */
const STATION = [
  /^(station|stn|site)_?(id|code)(_[cd]|_keyword)?$/,
  /^station$/,
  /^site$/,
  new RegExp(
    `^(gnss_?|gps_?|igs_?|(${ENDINGS})_(of_the_|of_|de_la_|de_)?(?!\\w+s$))?(${KINDS})(_?(${KINDS}))?(_?(${ENDINGS}))?$`,
  ),
  /^(id|code|ref|rinex_?code|4_?char(_?id)?|dcode)$/,
  // Several stations may have one name.
  /^name$/,
  /^(aeronet_site|(num_)?poste|wban(no)?|indicativo|geo_id_(insee|wmo)|bureau_of_meteorology_station_number)$/,
  DOMES_NUMBER,
];
/** Names of stations that may be the same for two of them. */
const STATION_NAME = /^(((station|site|marker|sta|stn)_?(long_?)?)?na(m|me)|nom_usuel)$/;
const HEIGHT_REFERENCE = /^height_(vertical_)?reference$/;

const HEIGHT =
  /^((station|site|stn|sta)_?)?(height|hgt|h|alt|altitude|elev|elevation)(_(above_)?(ell|eli|ellipsoid|wgs_?84|geoid|msl|amsl|sea_level|egm\d+))?(_m)?$|^height_of_station_above_sea_level$|^(ellipsoidal|orthometric|wgs_?84|msl|egm\d+)_(height|altitude|elevation)(_m)?$/;

const PLACES: readonly (readonly [ColumnRole, RegExp])[] = [
  ["latitude", /^((station|site|stn|sta)_?)?(lat|latitude|latdd)(_?(decimal_)?deg(rees?)?)?(_?n(orth)?)?$/],
  ["longitude", /^((station|site|stn|sta)_?)?(lon|long|lng|longitude|londd)(_?(decimal_)?deg(rees?)?)?(_?e(ast)?)?$/],
  ["height", HEIGHT],
];

/** Codes of four or nine characters, with a letter: codes of nine belong to stations, codes of four also to models and products. */
export const CODE = /^(?!\d+$)[A-Z\d]{4}(\d\d[A-Z]{3})?$/;

/** Names of equipment and places, too: only a code tells that one of these belongs to a station. */
const VAGUE = /^(receiver|rcvr|platform|location|monument|point)$/;

/** Whether a text under this name may belong to something else than a station: `Receiver: LEICA GR30`. */
export function isVague(name: string, text: string): boolean {
  return VAGUE.test(plainName(name)) && !CODE.test(text.trim()) && !/^\d{4,}$/.test(text.trim());
}

/**
 * The columns that describe a station further; -1 if absent.
 * @param station the column that distinguishes the stations
 * @param isOther whether a column does not name them
 */
export function stationTexts(heads: readonly string[], station: number, isOther: (at: number) => boolean) {
  const names = heads.map((head) => plainName(head));
  return {
    name: station < 0 ? -1 : names.findIndex((name, i) => i !== station && STATION_NAME.test(name) && !isOther(i)),
    heightReference: names.findIndex((name) => HEIGHT_REFERENCE.test(name)),
    domes: names.findIndex((name, i) => i !== station && DOMES_NUMBER.test(name)),
  };
}

/**
 * Finds the columns of station and position by their names.
 * @param taken columns with another role
 * @param isOther whether the values of a column do not belong to stations
 */
export function siteRolesByName(
  heads: readonly string[],
  taken: Iterable<number> = [],
  isOther: (at: number) => boolean = () => false,
): Map<ColumnRole, number> {
  const others = new Set(taken);
  const names = heads.map((head) => plainName(head));
  const find = (pattern: RegExp): number => names.findIndex((name, i) => pattern.test(name) && !others.has(i));
  const places = PLACES.map(([role, pattern]) => [role, find(pattern)] as const);
  const stations = STATION.flatMap((pattern) => names.flatMap((name, i) => (pattern.test(name) ? [i] : [])));
  const station = stations.find((i) => !others.has(i) && !isOther(i)) ?? -1;
  return new Map([["station", station] as const, ...places].filter(([, at]) => at >= 0));
}

export function heightColumns(heads: readonly string[]): number[] {
  return heads.flatMap((head, at) => (HEIGHT.test(plainName(head)) && surfaceOfName(head) !== "unknown" ? [at] : []));
}

/** What the name of a column of heights says that they are above. */
export function surfaceOfName(head: string): Surface {
  return surfaceNamed(`${head} ${plainName(head)}`);
}

/** What a name tells of a station: its identifier, its name, or something of the kind; null for other names. */
export function stationNamed(name: string): "id" | "name" | "other" | null {
  const plain = plainName(name);
  if (STATION[0]?.test(plain)) return "id";
  if (STATION_NAME.test(plain)) return "name";
  return STATION.slice(0, 4).some((pattern) => pattern.test(plain)) ? "other" : null;
}

const NORTH_OR_EAST =
  /^((decimal|dec)?[ _.]*(deg(rees?)?|d+(\.d+)?|°)?[ _.]*(n(orth)?|e(ast)?)?\.?|decimal|wgs.?84|geodetic|geographic)$/i;
const SOUTH_OR_WEST = /^(deg(rees?)?|°)?[ _.]*(s(outh)?|w(est)?)$/i;

/** The sign of decimal degrees by what is stated of their unit or direction, such as `degrees_west`; null in other units. */
export function signOfDegrees(stated: string): 1 | -1 | null {
  if (NORTH_OR_EAST.test(stated.trim())) return 1;
  return SOUTH_OR_WEST.test(stated.trim()) ? -1 : null;
}

export function placeNamed(name: string): ColumnRole | undefined {
  return PLACES.find(([, pattern]) => pattern.test(plainName(name)))?.[0];
}

export function plainName(head: string): string {
  return head
    .replace(/[([].*$/, "")
    .replaceAll(/<[^>]*>/g, "")
    .trim()
    .replaceAll(/(?<=[a-z])(?=[A-Z])(?!(?<=\b[A-Z][a-z])[A-Z]\b)/g, "_")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\d]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
}

/** Most values of a column that tells stations apart. */
export const MAX_STATIONS = 20_000;

/** Whether times are in strict order: none occurs twice, and none is between earlier ones. */
export class Order {
  /** The last time of each key, and its direction: 1 ascending, -1 descending, 0 of one time only. */
  readonly last = new Map<string, { timeMs: number; sign: number; returns: number }>();
  /** Rows at the time of the row before them, and rows that go back in time. */
  repeats = 0;
  returns = 0;
  rows = 0;

  /** Returns how often the times of this key went back before. */
  add(key: string, timeMs: number): number {
    this.rows++;
    const last = this.last.get(key);
    if (last === undefined) {
      this.last.set(key, { timeMs, sign: 0, returns: 0 });
      return 0;
    }
    const sign = Math.sign(timeMs - last.timeMs);
    const isBack = last.sign !== 0 && sign === -last.sign;
    if (isBack) {
      this.returns++;
      last.returns++;
    } else if (sign === 0) this.repeats++;
    else last.sign = sign;
    last.timeMs = timeMs;
    return last.returns;
  }
}

/** Repeats that may be errors of a file, as a share of its rows. */
export const FEW = 0.1;

/**
 * Finds the column that tells stations apart if none does by its name: rows of one time, or that start again in time, are
 * of several series, and a column within whose values no time occurs twice names them.
 */
export class StationSurvey {
  readonly #own = new Order();
  #candidates: { readonly at: number; readonly order: Order }[];

  /** @param columns indices of columns without another meaning */
  constructor(columns: readonly number[]) {
    this.#candidates = columns.map((at) => ({ at, order: new Order() }));
  }

  /** @param key the station as far as it is known */
  add(key: string, timeMs: number, fields: readonly string[]): void {
    this.#own.add(key, timeMs);
    for (const { at, order } of this.#candidates) order.add(`${key}\n${fields[at] ?? ""}`, timeMs);
    this.#candidates = this.#candidates.filter(
      ({ order }) => order.repeats + order.returns === 0 && order.last.size <= MAX_STATIONS,
    );
  }

  /** The columns that tell the rows of one time apart; empty if the known station does. */
  columns(): readonly number[] {
    const { repeats, returns, rows, last } = this.#own;
    if (returns === 0 && repeats <= FEW * rows) return [];
    // A column with another value in each row may count the rows, unless all have one time.
    const isOneTime = rows === repeats + last.size;
    return this.#candidates.filter(({ order }) => order.last.size < rows || isOneTime).map(({ at }) => at);
  }

  /** Whether what tells rows apart are stations by their form: other texts may be products, models, qualities or levels. */
  areStations(at: number): boolean {
    const { order } = this.#candidates.find((each) => each.at === at) ?? {};
    const texts = [...(order?.last.keys() ?? [])].map((key) => key.slice(key.lastIndexOf("\n") + 1).trim());
    return texts.length > 0 && texts.every((text) => CODE.test(text) && text.length > 4);
  }

  /** Whether most rows have the time of another one. */
  get hasRepeats(): boolean {
    return this.#own.repeats > this.#own.rows / 2;
  }
}
