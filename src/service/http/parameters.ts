import type { z } from "zod";
import { defined } from "#shared/defined.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { badParameter, refusal, type Refusal } from "./refusal.ts";

/** Longer names are not compared: they are not misspellings. */
const MAX_NAME_CHARACTERS = 64;

/**
 * Returns the known name that was most likely meant by `name`: one that differs in case, separators or few letters.
 *
 * @returns null if none is similar
 */
function nearestName(name: string, known: readonly string[]): string | null {
  const wanted = plain(name);
  if (wanted === "" || wanted.length > MAX_NAME_CHARACTERS) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of known) {
    const distance = lettersBetween(wanted, plain(candidate));
    if (distance <= tolerance(candidate) && distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** `There is no field “station_id”: did you mean “station_ids”?` */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  const hint = meant === null ? `the ${kind}s are ${known.join(", ")}.` : `did you mean “${meant}”?`;
  const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
  return `There is no ${kind} “${shown}”: ${hint}`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function tolerance(name: string): number {
  return name.length <= 4 ? 1 : 2;
}

/** Minimum number of letters to add, delete, replace or swap with a neighbour (optimal string alignment distance). */
function lettersBetween(a: string, b: string): number {
  // Distances of the first i, i - 1 and i - 2 letters of `a` from the first j letters of `b`, by j.
  let distances = Array.from({ length: b.length + 1 }, (_, j) => j);
  let above: number[] = [];
  let aboveThat: number[] = [];
  let distance = b.length;
  for (let i = 1; i <= a.length; i++) {
    [aboveThat, above, distances] = [above, distances, [i]];
    distance = i;
    let diagonal = i - 1;
    for (const [k, straight] of above.slice(1).entries()) {
      const replaced = diagonal + (a[i - 1] === b[k] ? 0 : 1);
      const isSwapped = i > 1 && k > 0 && a[i - 1] === b[k - 1] && a[i - 2] === b[k];
      distance = Math.min(replaced, straight + 1, distance + 1, isSwapped ? aboveThat[k - 1]! + 1 : Infinity);
      distances.push(distance);
      diagonal = straight;
    }
  }
  return distance;
}

/** Parameters of an address, before validation. */
type Parameters = Record<string, string | string[] | number[] | undefined>;

const INTEGER = /^[+-]?\d{1,15}$/;

/**
 * Collects parameters by name. Those in `lists` may be repeated, all others occur at most once; those in `integers`
 * must be plain integers. A misspelt name is refused, because its filter would silently be ignored; names that are
 * similar to none, such as parameters that bypass caches, are ignored.
 */
export function collect(
  search: URLSearchParams,
  names: {
    readonly once: readonly string[];
    readonly lists?: readonly string[];
    readonly integers?: readonly string[];
  },
): Result<Parameters, Refusal> {
  const found: Parameters = {};
  const known = [...names.once, ...(names.lists ?? []), ...(names.integers ?? [])];
  for (const name of new Set(search.keys())) {
    if (known.includes(name) || nearestName(name, known) === null) continue;
    return failure(refusal(400, unknownName("parameter", name, known), { details: { parameter: name } }));
  }
  for (const name of names.lists ?? []) found[name] = search.getAll(name);
  for (const name of [...names.once, ...(names.integers ?? [])]) {
    const [value, second] = search.getAll(name);
    if (second !== undefined) return failure(badParameter(name, "must be given once"));
    if (value === undefined) continue;
    if (names.integers?.includes(name) && !INTEGER.test(value)) {
      return failure(badParameter(name, "must be an integer"));
    }
    found[name] = value;
  }
  return success(found);
}

/** Refuses a JSON object with an unknown field; the schema validates everything else. */
export function checkFields(body: unknown, known: readonly string[]): Refusal | null {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return refusal(400, unknownName("field", unknown, known), { details: { parameter: unknown } });
}

/** Checks a value against a schema; the first issue becomes a sentence that names the parameter. */
export function check<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>, Refusal> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return success(parsed.data);
  const issue = defined(parsed.error.issues[0]);
  const [parameter, ...deeper] = issue.path;
  if (parameter === undefined) return failure(refusal(400, "The body must be a JSON object."));
  const place = deeper.length > 0 ? `item ${deeper.join(".")}: ` : "";
  return failure(badParameter(String(parameter), place + issue.message.replace(/\.$/, "")));
}
