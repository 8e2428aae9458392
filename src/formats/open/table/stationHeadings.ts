import { unitInName } from "#shared/file/units.ts";
import { variableOf } from "../meaning/quantities.ts";
import { stationNamed } from "../meaning/stations.ts";

/** A heading with a quantity and what its column is of, as pivoted tables have: `ztd KALL [m]`. */
export interface StationHeading {
  readonly label: string;
  /** null for four characters, which may also be those of a model or an analysis centre. */
  readonly stationId: string | null;
  /** The heading without the label. */
  readonly quantity: string;
}

/** Codes of four or nine characters; not `500M` and `00UT`, which are heights and hours. */
const CODE = /^(?!\d+[A-Z]*$)[A-Z\d]{4}(\d\d[A-Z]{3})?$/;
/** Words like codes beside which a quantity is another one. */
const OTHER_QUANTITY =
  /^(MAXI|MINI|MOYE|SDEV|CORR|BIAS|DIFF|FLAG|RMSE|RMSD|SIGM|STDV|ERRO|RESI|ANOM|HYDR|GRAD|TEND|RATE|FRAC|TIME|UNIT)$/;
const MARKS = String.raw`[\s_.:|/,-]+`;
/** Names of several levels in one, as pandas writes them into Parquet: `('ztd', 'KALL')`. */
const LEVELS = /^\(("[^"]*"|'[^']*')(, ("[^"]*"|'[^']*'))+\)$/;

/** The labels of a series in the name of its column, as Prometheus and Grafana write them: `ztd {station="KALL"}`. */
const LABELS = /^(.*?)\s*\{(.*)\}$/;

/**
 * The stations in the headings of a table, by column; empty if they name none. Headings of at least two columns have to agree
 * that a quantity of the service stands beside a code; another quantity then may be beside the same codes.
 */
export function stationHeadings(names: readonly string[]): readonly (StationHeading | null)[] {
  if (names.some((name) => stationNamed(name) !== null)) return [];
  const all = names.map(candidatesIn);
  const known = all.flatMap((candidates) => candidates.filter(({ quantity }) => isVariable(quantity)));
  const labels = new Set(known.map(({ label }) => label));
  if (known.length < 2 || [...labels].some((label) => OTHER_QUANTITY.test(label))) return [];
  return all.map((candidates) => {
    const [only, other] = candidates.filter(({ label }) => labels.has(label));
    return only && !other ? only : null;
  });
}

/** The words of a heading that may be a code, each with what else the heading has. */
function candidatesIn(name: string): StationHeading[] {
  const [, quantity = "", pairs = ""] = LABELS.exec(name) ?? [];
  const stated = [...pairs.matchAll(/(\w+)="([^"]+)"/g)].filter(([, key = ""]) => stationNamed(key) !== null);
  if (stated.length > 0) return stated.map(([, , label = ""]) => ({ label, stationId: label, quantity }));
  const heading = LEVELS.test(name) ? name.slice(2, -2).replaceAll(/["'], ["']/g, " ") : name;
  return [...heading.matchAll(/[^\W_]+/g)].flatMap(({ index, 0: label }) => {
    const before = heading.slice(0, index).replace(new RegExp(`${MARKS}$`), "");
    const after = heading.slice(index + label.length);
    const rest = after.replace(new RegExp(`^${MARKS}`), "");
    const isInBrackets = /[([{][^)\]}]*$/.test(before);
    if (!CODE.test(label) || isInBrackets || before + rest === "") return [];
    const own = before === "" ? rest : before + after.slice(0, after.length - rest.length) + rest;
    return [{ label, stationId: label.length > 4 ? label : null, quantity: own }];
  });
}

function isVariable(heading: string): boolean {
  const { name, unit } = unitInName(heading.trim());
  return variableOf({ name, unit, longName: null, standardName: null }) !== null;
}
