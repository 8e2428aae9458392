import { unitInName } from "#shared/file/units.ts";
import { variableOf } from "../meaning/quantities.ts";
import { stationNamed } from "../meaning/stations.ts";

/** A heading with a quantity and the station of its column, as pivoted tables have: `ztd KALL [m]`. */
export interface StationHeading {
  readonly station: string;
  /** The heading without the station. */
  readonly quantity: string;
}

/** Codes of stations with four or nine characters; `500M` is a height. */
const CODE = /^(?!\d+[A-Z]?$)[A-Z\d]{4}(\d\d[A-Z]{3})?$/;
/** Words like codes that tell how or from what a quantity was computed: columns of one station, or of none. */
const OTHER_WORDS =
  /^(MEAN|CORR|BIAS|DIFF|FLAG|RMSE|RMSD|SIGM|STDV|ERRO|TEST|HYDR|TIME|UNIT|PRED|FILT|ORIG|FLOAT|ERA\w|ERAI|GNSS|GLON|GALI|QZSS|GPT\d|VMF\d|UNB3|SAAS|HOPF|ICON|HRES|AROM|HARM|COSM|MERR|MER2|CFSR|JRA\d|JR55|NCEP|GDAS|RAOB|SOND|RS\d\d|MWR\d|VLBI|DORI|CODE)$/;
const MARKS = String.raw`[\s_.:|/,-]+`;
/** Names of several levels in one, as pandas writes them into Parquet: `('ztd', 'KALL')`. */
const LEVELS = /^\(("[^"]*"|'[^']*')(, ("[^"]*"|'[^']*'))+\)$/;

/**
 * The stations in the headings of a table, by column; empty if they name none. Headings of at least two columns have to agree
 * that a quantity of the service stands beside a code; another quantity then may be beside the same codes.
 */
export function stationHeadings(names: readonly string[]): readonly (StationHeading | null)[] {
  if (names.some((name) => stationNamed(name) !== null)) return [];
  const all = names.map(candidatesIn);
  const known = all.flatMap((candidates) => candidates.filter(({ quantity }) => isVariable(quantity)));
  const stations = new Set(known.map(({ station }) => station));
  if (known.length < 2 || [...stations].some((station) => OTHER_WORDS.test(station))) return [];
  return all.map((candidates) => {
    const [only, other] = candidates.filter(({ station }) => stations.has(station));
    return only && !other ? only : null;
  });
}

/** The words of a heading that may be a code, each with what else the heading has. */
function candidatesIn(name: string): StationHeading[] {
  const heading = LEVELS.test(name) ? name.slice(2, -2).replaceAll(/["'], ["']/g, " ") : name;
  return [...heading.matchAll(/[^\W_]+/g)].flatMap(({ index, 0: station }) => {
    const before = heading.slice(0, index).replace(new RegExp(`${MARKS}$`), "");
    const after = heading.slice(index + station.length);
    const rest = after.replace(new RegExp(`^${MARKS}`), "");
    const isInBrackets = /[([{][^)\]}]*$/.test(before);
    if (!CODE.test(station) || isInBrackets || before + rest === "") return [];
    return [
      { station, quantity: before === "" ? rest : `${before}${after.slice(0, after.length - rest.length)}${rest}` },
    ];
  });
}

function isVariable(heading: string): boolean {
  const { name, unit } = unitInName(heading.trim());
  return variableOf({ name, unit, longName: null, standardName: null }) !== null;
}
