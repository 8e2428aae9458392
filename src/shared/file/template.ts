import { type AppFault, usageFailure } from "../fault.ts";
import { type Result, success } from "../service/error.ts";

/** Fields that a template may contain in braces, with descriptions. */
export const TEMPLATE_FIELDS = {
  stations: "the station, or how many there are",
  variables: "ztd-pwv",
  interval: "15min, 1h, or native for every observation",
  raw: "raw, or nothing",
  start: "first day, or moment",
  end: "last day, included, or moment",
  range: "start to end; a single day once",
  connection: "name of the connection",
  name: "name of the saved export or schedule, or nothing",
  format: "netcdf, csv …",
  ext: "ending of the file",
} as const;

export type TemplateField = keyof typeof TEMPLATE_FIELDS;

/** Literal text or a field. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "field"; readonly field: TemplateField };

export const DEFAULT_TEMPLATE = "{stations}_{variables}_{interval}_{raw}_{range}.{ext}";
const MAX_TEMPLATE_CHARACTERS = 200;

const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*\p{Cc}]/u;
const PARTS = /\{([^{}]*)\}|([^{}]+)/gy;

/** Parses a template. The fault's message names the problem. */
export function parseTemplate(template: string): Result<readonly TemplatePart[], AppFault> {
  if (template.trim() === "") return refuse(`The template for names is empty: write for example ${DEFAULT_TEMPLATE}.`);
  if (template.length > MAX_TEMPLATE_CHARACTERS)
    return refuse(`The template for names is too long: it has ${MAX_TEMPLATE_CHARACTERS} characters at most.`);
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of template.matchAll(PARTS)) {
    const [whole, name, text] = match;
    if (text !== undefined) {
      const [forbidden] = FORBIDDEN_CHARACTERS.exec(text) ?? [];
      if (forbidden !== undefined) return refuse(forbiddenSentence(forbidden));
      parts.push({ kind: "text", text });
    } else {
      const field = (name ?? "").trim().toLowerCase();
      if (!isField(field)) return refuse(`There is no field {${name}}. Available: ${FIELD_LIST}.`);
      parts.push({ kind: "field", field });
    }
    end = match.index + whole.length;
  }
  if (end < template.length)
    return refuse("The template has a brace without its other half: write fields as {stations}.");
  return success(parts);
}

function refuse(sentence: string): Result<never, AppFault> {
  return usageFailure(sentence);
}

/** Returns a sentence about the problem of an invalid template, or null. */
export function templateProblem(template: string): string | null {
  const parsed = parseTemplate(template);
  return parsed.ok ? null : parsed.error.message;
}

const FIELD_LIST = Object.keys(TEMPLATE_FIELDS)
  .map((field) => `{${field}}`)
  .join(", ");

function isField(name: string): name is TemplateField {
  return Object.hasOwn(TEMPLATE_FIELDS, name);
}

function forbiddenSentence(character: string): string {
  if (character === "/" || character === "\\")
    return `A template names a file, not a folder: leave out “${character}”.`;
  const what = /\p{Cc}/u.test(character) ? "a control character" : `“${character}”`;
  return `No file name may have ${what} on every system: leave it out of the template.`;
}
