import type { z } from "zod";
import { defined } from "#shared/defined.ts";
import { MAX_NAME_CHARACTERS, nearestName } from "#shared/similarNames.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { badParameter, refusal, type Refusal } from "./refusal.ts";

/** `There is no field “station_id”: did you mean “station_ids”?` */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  const hint = meant === null ? `the ${kind}s are ${known.join(", ")}.` : `did you mean “${meant}”?`;
  const shown = name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
  return `There is no ${kind} “${shown}”: ${hint}`;
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
