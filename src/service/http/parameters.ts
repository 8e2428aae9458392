import { type z } from "zod";
import { failure, success, type Result } from "#shared/service/error.ts";
import { badParameter, refusal, type Refusal } from "./refusal.ts";

/** Parameters as they stand in the address, before a schema judges them. */
export type Parameters = Record<string, string | string[] | number[] | undefined>;

const INTEGER = /^[+-]?\d{1,15}$/;

/**
 * Collects parameters by name. Those in `lists` may be repeated, all others stand at most once; those in `integers`
 * must be written as plain integers. Names that no one knows are left alone.
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

/** Checks a value against a schema; the first issue becomes a sentence that names the parameter. */
export function check<S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>, Refusal> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return success(parsed.data);
  const issue = parsed.error.issues[0]!;
  const [parameter, ...deeper] = issue.path;
  if (parameter === undefined) return failure(refusal(400, "The body must be a JSON object."));
  const place = deeper.length > 0 ? `item ${deeper.join(".")}: ` : "";
  return failure(badParameter(String(parameter), place + issue.message.replace(/\.$/, "")));
}
