/** A unit as files spell it. */
interface Unit {
  readonly words: RegExp;
  /** Factor to mm of a length or of water, or to hPa of a pressure; null for units of other quantities. */
  readonly mm: number | null;
  readonly hPa: number | null;
  /** The spelling of a unit that is stated at the end of a name. */
  readonly name: string;
}

const PER_AREA = String.raw`\s*(m\s*\^?\s*(\*\*)?\s*-\s*2|/\s*m\s*(\^|\*\*)?\s*2|\.\s*m-2|m2)`;

const length = (mm: number) => ({ mm, hPa: null });
const pressure = (hPa: number) => ({ mm: null, hPa });
const other = { mm: null, hPa: null };

/** All units that readers know, in attributes, headings, rows of units and at the end of names. */
const UNITS: readonly Unit[] = [
  { name: "mm", words: /^(mm|milli(metre|meter)s?)$/, ...length(1) },
  { name: "cm", words: /^(cm|centi(metre|meter)s?)$/, ...length(10) },
  { name: "m", words: /^(m|(metre|meter)s?)$/, ...length(1_000) },
  { name: "µm", words: /^([uµμ]m|micromet(re|er)s?|microns?)$/, ...length(0.001) },
  { name: "dm", words: /^(dm|decimet(re|er)s?)$/, ...length(100) },
  { name: "km", words: /^(km|kilo(metre|meter)s?)$/, ...length(1_000_000) },
  { name: "ft", words: /^(ft|foot|feet)$/, ...length(304.8) },
  { name: "in", words: /^(in|inch(es)?)$/, ...length(25.4) },
  { name: "kg m-2", words: new RegExp(`^kg${PER_AREA}$`), ...length(1) },
  { name: "g m-2", words: new RegExp(`^g${PER_AREA}$`), ...length(0.001) },
  { name: "g cm-2", words: /^g\s*(cm\s*\^?\s*-\s*2|\/\s*cm\s*\^?\s*2)$/, ...length(10) },
  { name: "hPa", words: /^(hpa|hectopascals?)$/, ...pressure(1) },
  { name: "mbar", words: /^(mb|mbars?|millibars?)$/, ...pressure(1) },
  { name: "kPa", words: /^(kpa|kilopascals?)$/, ...pressure(10) },
  { name: "Pa", words: /^(pa|pascals?)$/, ...pressure(0.01) },
  // NIST SP 811, appendix B.8: conventional inch and millimetre of mercury.
  { name: "inHg", words: /^(inhg|in_?hg|in\.?\s*hg)$/, ...pressure(33.863_89) },
  { name: "mmHg", words: /^(mmhg|mm_?hg|mm\s*hg|torr)$/, ...pressure(1.333_224) },
  { name: "K", words: /^(k|kelvins?|deg_?k)$/, ...other },
  { name: "degC", words: /^(c|°c|℃|deg_?c|celsius|degrees?_?c(elsius)?)$/, ...other },
  { name: "%", words: /^(%|percent|pct)$/, ...other },
  { name: "degree", words: /^(deg|degrees?|°|degrees?_?(north|east|south|west|[nesw]))$/, ...other },
  { name: "dB-Hz", words: /^(db-?hz|dbhz)$/, ...other },
  { name: "s", words: /^(s|secs?|seconds?)$/, ...other },
];
/** Endings of names that are not units: `site_c`, `logged_in`. */
const NEVER_AT_END = /^(k|c|s|in|secs?|seconds?)$/i;
/** Names of temperatures, after which K and C are units. */
const TEMPERATURE = /(^|[^a-z])(ta?|temp\w*|dew\w*)$/i;

/** Finds a unit by its spelling in any letter case; null if it is unknown. */
export function unitNamed(text: string): Unit | null {
  const signs = text
    .replaceAll(/[−⁻]/g, "-")
    .replaceAll("²", "2")
    .replaceAll(/[·⋅∙\s]+/g, " ");
  const plain = signs.trim().toLowerCase();
  return UNITS.find(({ words }) => words.test(plain)) ?? partOfUnit(plain);
}

/** A part of a unit: `0.1 mm`, `1/10 mm`, `mm/10`, `10^-4 m`, `tenths of a millimetre`. `10 m` is a height, and no unit. */
const PART =
  /^(0?[.,]\d+|\d(?:\.\d+)?e-\d+|10 ?(?:\^|\*\*)? ?[-−]\d|1 ?\/ ?10+|(?:ten|hundred|thousand)ths?)(?: of)?(?: an?)? ?[×*]? ?(.+)$/;
const DIVIDED = /^(.+?) ?(\/ ?10+)$/;
const FRACTIONS: Readonly<Record<string, string>> = { tenth: "0.1", hundredth: "0.01", thousandth: "0.001" };

function partOfUnit(plain: string): Unit | null {
  const [, divided, divisor = ""] = DIVIDED.exec(plain) ?? [];
  const [, part = `1${divisor}`, whole = divided] = PART.exec(plain) ?? [];
  const unit = UNITS.find(({ words }) => words.test(whole ?? ""));
  if (!unit) return null;
  const number = FRACTIONS[part.replace(/s$/, "")] ?? part.replace(",", ".");
  const [top = "", bottom = "1"] = number
    .replaceAll(" ", "")
    .replace(/^10(?:\^|\*\*)?[-−]/, "1e-")
    .split("/");
  const factor = Number(top) / Number(bottom);
  const scaled = (value: number | null): number | null => value && Number((value * factor).toPrecision(12));
  return { words: /^$/, mm: scaled(unit.mm), hPa: scaled(unit.hPa), name: `${factor} ${unit.name}` };
}

const SYMBOL = "[a-zµ°%Ω]{1,5}([-−^*]{0,2}\\d)?";
/** Symbols with an exponent or a slash, of any quantity. */
const OF_SYMBOLS = new RegExp(`^(?=.*[a-z]([-−^*]{0,2}\\d|\\s*/\\s*[a-z]))${SYMBOL}([\\s*·./]+${SYMBOL})*$`, "i");
const OTHER_SYMBOL =
  /^(rad|sr|pp[mbt]v?|tecu|[mk]?v|m?a|[mk]?w|k?j|[kmg]?hz|db[zm]?|lux|n|[mk]?g|h|hrs?|hours?|d|days?|minutes?|[mnµup]s|dmm|counts?|%.*)$/i;

/** Whether a text is a unit, known or not, or begins with a known one: other words in brackets say what a quantity is. */
function isLikeUnit(text: string): boolean {
  const [first = "", ...more] = text.trim().split(/[\s*×]+/);
  const isAtStart = more.length > 0 && unitNamed(first) !== null && !NEVER_AT_END.test(first);
  return isAtStart || unitNamed(text) !== null || OF_SYMBOLS.test(text) || OTHER_SYMBOL.test(text);
}

const BRACKETED = /\s*[([{<]\s*([^)\]}>]*?)\s*[)\]}>]/g;

/** Separates name and unit of a heading: `ZTD (mm)`, `ztd [m]`, `ztd_m`, `ZTD/mm`, `ZTD..mm.`, `ZTD in mm`; null without a unit. */
export function unitInName(head: string): { readonly name: string; readonly unit: string | null } {
  const brackets = [...head.matchAll(BRACKETED)];
  const last = brackets.find(({ 0: all, index }) => index + all.length === head.trimEnd().length);
  const bracket = brackets.find(([, text]) => unitNamed(text ?? "")) ?? last;
  const name = bracket && head.replace(bracket[0], "").trim();
  if (bracket && name && !unitNamed(bracket[1] ?? "")) {
    // `Temp, °C (LGR S/N: 1)`
    const inner = unitInName(name);
    if (unitNamed(inner.unit ?? "")) return inner;
  }
  // As the NetCDF subset service of THREDDS writes: PWV[unit="m"].
  const inside = (bracket?.[1] ?? "").replace(/^unit=["']?(.*?)["']?$/, "$1");
  if (bracket && name && isLikeUnit(inside)) return { name, unit: inside };
  // `ZTD (std, mm)`
  const [, words, unit] = /^(.*)[,;]\s*([^,;]+)$/.exec(inside) ?? [];
  if (bracket && name && words && unitNamed(unit ?? "")) return { name: `${name} (${words})`, unit: unit ?? null };
  // `ztd_mm mean`, as pandas joins what it has aggregated.
  const [, whole = "", statistic = ""] = /^(.+?)([ _](?:mean|median|std|min|max))$/i.exec(head.trim()) ?? [];
  const inner = whole === "" ? null : unitInName(whole);
  if (inner && unitNamed(inner.unit ?? "")) return { ...inner, name: inner.name + statistic };
  const text = head.replace(/[.\s]+$/, "");
  // The longest ending comes first, for `iwv_kg_m2`.
  for (const { index, 0: mark } of text.matchAll(/[_.\s/:,-]+/g)) {
    const ending = text.slice(index + mark.length).replaceAll("_", " ");
    const unit = unitNamed(ending);
    const isTemperature = /^[kc]$/i.test(ending) && TEMPERATURE.test(text.slice(0, index));
    if (index > 0 && unit && (isTemperature || !NEVER_AT_END.test(ending)))
      return { name: text.slice(0, index).replace(/\s+in$/i, ""), unit: unit.name };
  }
  return { name: head, unit: null };
}
