import type { AppFault } from "../fault.ts";
import type { CatalogueStation } from "../service/catalogue.ts";
import { type Result, success } from "../service/error.ts";
import { clockRange, wholeRange, zoneOf } from "../time/intervals.ts";
import type { TimeRange } from "../time/range.ts";
import { DAY_MS, formatUtcShort, MINUTE_MS, type UtcMs } from "../time/utc.ts";
import type { ExportRequest } from "./export.ts";
import { FORMATS } from "./formats.ts";
import { MAX_NAME_BYTES, portableFileName, utf8Bytes } from "./fileName.ts";
import { parseTemplate, type TemplateField, type TemplatePart } from "./template.ts";
import { defined } from "../defined.ts";

/** The properties of an export that its file name may contain. */
export interface NamedExport {
  readonly request: Pick<
    ExportRequest,
    "stationIds" | "variables" | "intervalSeconds" | "zone" | "raw" | "range" | "format"
  >;
  readonly stations: ReadonlyMap<string, Pick<CatalogueStation, "displayName">>;
  readonly connectionName: string;
  /** Name of a saved export; null for others. */
  readonly exportName: string | null;
}

/** Maximum lengths of the values of fields, tried in this order until the name is short enough. */
const MAX_VALUE_CHARACTERS = [60, 40, 24, 12, 6];

/**
 * Fills a template for file names. The name is valid on every desktop system and has the extension of its format. The
 * separator before an empty field is removed; if the template has no space, the name has none.
 */
export function exportFileName(template: string, named: NamedExport): Result<string, AppFault> {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return parsed;
  const extension = FORMATS[named.request.format].extension;
  const parts = withoutExtension(parsed.value, extension);
  const hasSpaces = parts.some((p) => p.kind === "text" && p.text.includes(" "));
  const values = fieldValues(named, extension);
  const stems = MAX_VALUE_CHARACTERS.map((max) =>
    filled(parts, (field) => {
      const value = cut(values[field], max);
      return hasSpaces ? value : value.replaceAll(/\s+/g, "-");
    }),
  );
  const stem = stems.find((s) => utf8Bytes(s) <= MAX_NAME_BYTES) ?? defined(stems.at(-1));
  return success(`${portableFileName(stem)}.${extension}`);
}

/** Removes the extension from the end of a template, because it is appended after shortening. */
function withoutExtension(parts: readonly TemplatePart[], extension: string): readonly TemplatePart[] {
  const [before, last] = parts.slice(-2);
  const isText = before?.kind === "text" && before.text.endsWith(".");
  if (isText && last?.kind === "field" && last.field === "ext")
    return [...parts.slice(0, -2), { kind: "text", text: before.text.slice(0, -1) }];
  const end = parts.at(-1);
  if (end?.kind !== "text" || !end.text.toLowerCase().endsWith(`.${extension}`)) return parts;
  return [...parts.slice(0, -1), { kind: "text", text: end.text.slice(0, -extension.length - 1) }];
}

function filled(parts: readonly TemplatePart[], valueOf: (field: TemplateField) => string): string {
  let text = "";
  let skipsSeparator = false;
  for (const part of parts) {
    const value = part.kind === "text" ? part.text : valueOf(part.field);
    if (part.kind === "field" && value === "") {
      const before = text;
      text = text.replace(SEPARATORS_AT_END, "");
      // At the beginning of a name, the separator after the field is removed instead.
      skipsSeparator ||= before === "";
    } else {
      text += skipsSeparator ? value.replace(SEPARATORS_AT_START, "") : value;
      skipsSeparator = false;
    }
  }
  return text;
}

const SEPARATORS_AT_END = /[ _.,-]+$/;
const SEPARATORS_AT_START = /^[ _.,-]+/;

function fieldValues(named: NamedExport, extension: string): Readonly<Record<TemplateField, string>> {
  const { stationIds, variables, intervalSeconds, raw, format } = named.request;
  const range = clockRange(wholeRange(named.request.range, named.request), zoneOf(named.request));
  const { first, last } = endsOf(range);
  const [only] = stationIds;
  return {
    stations:
      stationIds.length === 1 && only !== undefined
        ? named.stations.get(only)?.displayName || only
        : `${stationIds.length} stations`,
    variables: variables.join("-"),
    interval: intervalSeconds === null ? "native" : intervalWord(intervalSeconds),
    raw: raw ? "raw" : "",
    start: first,
    end: last,
    range: first === last ? first : `${first} to ${last}`,
    connection: named.connectionName,
    name: named.exportName ?? "",
    format,
    ext: extension,
  };
}

function intervalWord(seconds: number): string {
  if (seconds % 86_400 === 0) return `${seconds / 86_400}d`;
  if (seconds % 3_600 === 0) return `${seconds / 3_600}h`;
  return seconds % 60 === 0 ? `${seconds / 60}min` : `${seconds}s`;
}

/** Formats whole days as dates, including the last one; other moments without colons, which file names must not contain. */
function endsOf({ startMs, endMs }: TimeRange): { readonly first: string; readonly last: string } {
  const areDays = startMs % DAY_MS === 0 && endMs % DAY_MS === 0;
  return areDays
    ? { first: day(startMs), last: day(endMs - DAY_MS) }
    : { first: compactMoment(startMs), last: compactMoment(endMs) };
}

function day(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).slice(0, 10);
}

function compactMoment(momentMs: UtcMs): string {
  const text = formatUtcShort(momentMs).replaceAll(":", "");
  return momentMs % MINUTE_MS === 0 ? `${text.slice(0, 15)}Z` : text;
}

function cut(text: string, maxCharacters: number): string {
  return Array.from(text.slice(0, 2 * maxCharacters))
    .slice(0, maxCharacters)
    .join("")
    .trim();
}
