// Writes the JSON Schemas of what the command line prints with --json into docs/json, from the types that the code
// passes to `output.document` and `output.event` (`npm run schemas`).
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isCallExpression, isPropertyAccessExpression, isStringLiteral, type Node } from "typescript/unstable/ast";
import {
  API,
  type Checker,
  type Project,
  type Symbol,
  SymbolFlags,
  type Type,
  TypeFlags,
} from "typescript/unstable/sync";
import { JSON_VERSION } from "#main/cli/terminal/output.ts";
import { snakeCase } from "#main/cli/terminal/text.ts";

export type Schema = { readonly [keyword: string]: unknown };

const root = join(import.meta.dirname, "..");
export const SCHEMA_FOLDER = join(root, "docs", "json");

/** The schemas by the name of their file: one for each document, and one for the lines on stderr. */
export function jsonSchemas(): ReadonlyMap<string, Schema> {
  const api = new API({ cwd: root });
  try {
    const config = join(root, "tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} cannot be opened.`);
    const found = callsOf(project);
    const documents = [...found.documents].map(([name, schemas]): [string, Schema] => [
      `${name.replaceAll(" ", "-")}.json`,
      document(name, schemas),
    ]);
    const figures = found.documents.get("figure") ?? [];
    const [incomplete] = figures.map(({ properties }) => (properties as Record<string, Schema>)["incomplete"]);
    if (!incomplete) throw new Error("The document of a figure does not say what is incomplete.");
    return new Map([
      ...documents,
      ["resample.json", document("resample", [resampled(incomplete)])],
      ["stderr.json", lines(found.events)],
    ]);
  } finally {
    api.close();
  }
}

/** The types of all calls by the name that is their first argument. */
function callsOf(project: Project): Record<"documents" | "events", Map<string, Schema[]>> {
  const found = { documents: new Map<string, Schema[]>(), events: new Map<string, Schema[]>() };
  const { checker, program } = project;
  const visit = (node: Node): void => {
    node.forEachChild(visit);
    if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return;
    const [name, value] = node.arguments;
    const method = node.expression.name.text;
    if ((method !== "document" && method !== "event") || !name || !value || !isStringLiteral(name)) return;
    const type = checker.getTypeAtLocation(value);
    if (!type) throw new Error(`The type of “${name.text}” is unknown.`);
    const group = method === "document" ? found.documents : found.events;
    group.set(name.text, [...(group.get(name.text) ?? []), ...alternatives(schemaOf(checker, type))]);
  };
  for (const path of program.getSourceFileNames())
    if (path.includes("/src/main/cli/")) program.getSourceFile(path)?.forEachChild(visit);
  return found;
}

function alternatives(schema: Schema): readonly Schema[] {
  return Array.isArray(schema["anyOf"]) ? (schema["anyOf"] as Schema[]) : [schema];
}

/** Adds the fields of every document. */
function document(name: string, schemas: readonly Schema[]): Schema {
  const head = {
    version: { const: JSON_VERSION, description: "Raised by a change that breaks a script." },
    document: { const: name, description: "The name of this schema." },
  };
  const whole = schemas.map(({ properties, required, ...rest }) => ({
    ...rest,
    properties: { ...head, ...(properties as object) },
    required: ["version", "document", ...((required as string[] | undefined) ?? [])],
  }));
  const title = `zenith ${name} --json`;
  return { $schema: DIALECT, title, ...joined(whole) };
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Each line is an object with an event. */
function lines(events: ReadonlyMap<string, readonly Schema[]>): Schema {
  const message = { type: "string", description: "A sentence for people, which may change." };
  const plain = (event: string): Schema => object({ event: { const: event }, message });
  const others = [...events].flatMap(([event, schemas]) =>
    schemas.map(({ properties, required, ...rest }) => ({
      ...rest,
      properties: { event: { const: event }, ...(properties as object) },
      required: ["event", ...((required as string[] | undefined) ?? [])],
    })),
  );
  return {
    $schema: DIALECT,
    title: "A line of zenith --json on stderr",
    ...joined([plain("note"), plain("warning"), ...others]),
  };
}

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: "object", properties, required: Object.keys(properties) };
}

const STRING: Schema = { type: "string" };
const TIME: Schema = { type: "string", format: "date-time", description: "UTC" };

/** Written row by row, without a value that has a type. Values are by the names of the variables. */
function resampled(incomplete: Schema): Schema {
  const row = {
    type: "object",
    properties: { station_id: STRING, time: TIME },
    required: ["station_id", "time"],
    additionalProperties: { type: ["number", "string", "null"] },
  };
  return object({ rows: { type: "array", items: row }, incomplete });
}

/** The schema of a value of a type as `toPlainJson` converts it. @param isTime whether numbers are times */
function schemaOf(checker: Checker, type: Type, isTime = false, within: readonly number[] = []): Schema {
  const of = (inner: Type, time = isTime): Schema => schemaOf(checker, inner, time, [...within, type.id]);
  if (within.filter((id) => id === type.id).length > 1)
    throw new Error(`${checker.typeToString(type)} contains itself.`);
  if (type.isUnionType())
    return joined(
      type
        .getTypes()
        .filter((each) => !isAbsent(each))
        .map((each) => of(each)),
    );
  if (
    type.isLiteralType() &&
    typeof type.value !== "bigint" &&
    type.flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral)
  )
    return { const: type.value };
  if (type.flags & TypeFlags.BooleanLike) return { type: "boolean" };
  if (type.flags & TypeFlags.NumberLike) return isTime ? TIME : { type: "number" };
  if (type.flags & TypeFlags.StringLike) return STRING;
  if (type.flags & TypeFlags.Null) return { type: "null" };
  if (type.isTupleType() || (type.isTypeReference() && type.getTarget().isTupleType()))
    return { type: "array", items: joined(checker.getTypeArguments(type as never).map((each) => of(each))) };
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as never);
    return { type: "array", items: item ? of(item) : {} };
  }
  if (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) return objectOf(checker, type, of);
  throw new Error(`${checker.typeToString(type)} has no JSON.`);
}

function objectOf(checker: Checker, type: Type, of: (inner: Type, isTime?: boolean) => Schema): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  // NaN becomes null.
  const areNumbers = !commentOf(checker, type.getSymbol()).includes("NaN");
  for (const symbol of checker.getPropertiesOfType(type)) {
    const own = checker.getTypeOfSymbol(symbol);
    if (!own || isFunction(checker, own)) continue;
    const name = jsonName(symbol.name);
    const comment = commentOf(checker, symbol);
    const one = of(own, symbol.name.endsWith("Ms"));
    const isNumber = areNumbers && !comment.includes("NaN");
    const schema = isNumber || one["type"] !== "number" ? one : { type: ["number", "null"] };
    properties[name] = comment === "" ? schema : { ...schema, description: comment };
    if (!isOptional(symbol, own)) required.push(name);
  }
  const index = checker.getIndexInfosOfType(type)[0];
  return { type: "object", properties, required, ...(index ? { additionalProperties: of(index.valueType) } : {}) };
}

function commentOf(checker: Checker, symbol: Symbol | undefined): string {
  return symbol?.getDocumentationComment(checker).trim().replaceAll(/\s+/g, " ") ?? "";
}

/** The name without the unit `Ms`, which has become a time. */
function jsonName(name: string): string {
  return snakeCase(name.replace(/Ms$/, ""));
}

function isAbsent({ flags }: Type): boolean {
  return (flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0;
}

function isOptional(symbol: Symbol, type: Type): boolean {
  return (
    (symbol.flags & SymbolFlags.Optional) !== 0 ||
    isAbsent(type) ||
    (type.isUnionType() && type.getTypes().some(isAbsent))
  );
}

function isFunction(checker: Checker, type: Type): boolean {
  return checker.getSignaturesOfType(type, 0).length > 0;
}

/** One of several schemas: simple types are joined, and equal ones are one. */
function joined(schemas: readonly Schema[]): Schema {
  const unique = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const words = unique.flatMap((schema) => ("const" in schema ? [schema["const"]] : []));
  const others = unique.filter((schema) => !("const" in schema));
  const choice: Schema[] = words.length > 1 ? [{ enum: words }] : words.map((word) => ({ const: word }));
  const simple = others.filter((schema) => Object.keys(schema).join(",") === "type");
  const rest = others.filter((schema) => !simple.includes(schema));
  const types = simple.length > 1 ? [{ type: simple.map((schema) => schema["type"]) }] : simple;
  const all = [...choice, ...types, ...rest];
  const [only] = all;
  return only && all.length === 1 ? only : { anyOf: all };
}

if (import.meta.main) {
  mkdirSync(SCHEMA_FOLDER, { recursive: true });
  for (const name of readdirSync(SCHEMA_FOLDER)) if (name.endsWith(".json")) rmSync(join(SCHEMA_FOLDER, name));
  const schemas = jsonSchemas();
  for (const [name, schema] of schemas)
    writeFileSync(join(SCHEMA_FOLDER, name), `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`${schemas.size} schemas in ${SCHEMA_FOLDER}`);
}
