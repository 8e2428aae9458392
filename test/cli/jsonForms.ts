import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

type Schema = Readonly<Record<string, unknown>>;

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "json");
const parsers = new Map<string, z.ZodType>();

/** Throws unless a document of `--json` has the form that its schema in docs/json says, and no other field. */
export function expectDocument(document: unknown): void {
  const { document: name } = z.looseObject({ document: z.string() }).parse(document);
  parserOf(name.replaceAll(" ", "-")).parse(document);
}

/** Throws unless a line on stderr has the form of docs/json/stderr.json. */
export function expectLine(line: unknown): void {
  parserOf("stderr").parse(line);
}

function parserOf(name: string): z.ZodType {
  const known = parsers.get(name);
  if (known) return known;
  const schema = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as Schema;
  const parser = z.fromJSONSchema(strict(schema) as never);
  parsers.set(name, parser);
  return parser;
}

/** The published schemas allow fields that a later version adds; these tests allow none that is not described. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return "properties" in inner && !("additionalProperties" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}
