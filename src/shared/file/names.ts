import type { AppFault } from "../fault.ts";
import type { CatalogueStation } from "../service/catalogue.ts";
import { type Result, success } from "../service/error.ts";
import { alignOutward } from "../time/interval.ts";
import type { TimeRange } from "../time/range.ts";
import { DAY_MS, formatUtcShort, MINUTE_MS, type UtcMs } from "../time/utc.ts";
import { EXPORT_EXTENSIONS, type ExportRequest } from "./export.ts";
import { MAX_NAME_BYTES, portableFileName, utf8Bytes } from "./fileName.ts";
import { parseTemplate, type TemplateField, type TemplatePiece } from "./template.ts";
import { defined } from "../defined.ts";

/** What a name can tell of an export. */
export interface NamedExport {
  readonly request: Pick<ExportRequest, "stationIds" | "variables" | "intervalSeconds" | "raw" | "range" | "format">;
  readonly stations: ReadonlyMap<string, Pick<CatalogueStation, "displayName">>;
  readonly connectionName: string;
  /** Of a saved export; null for any other. */
  readonly exportName: string | null;
}

/** Free texts are shortened before anything else is: what they lose, the rest still tells. */
const TEXT_CHARACTERS = [60, 40, 24, 12, 6];

/**
 * The name of a file by a template: one that every desktop system takes, with the ending of its format. A field without
 * a value takes the separator before it along; where the template has no space, the name has none.
 */
export function exportFileName(template: string, named: NamedExport): Result<string, AppFault> {
  const parsed = parseTemplate(template);
  if (!parsed.ok) return parsed;
  const extension = EXPORT_EXTENSIONS[named.request.format];
  const pieces = withoutEnding(parsed.value, extension);
  const hasSpaces = pieces.some((p) => p.kind === "text" && p.text.includes(" "));
  const values = valuesOf(named, extension);
  const stems = TEXT_CHARACTERS.map((most) =>
    filled(pieces, (field) => {
      const value = cut(values[field], most);
      return hasSpaces ? value : value.replaceAll(/\s+/g, "-");
    }),
  );
  const stem = stems.find((s) => utf8Bytes(s) <= MAX_NAME_BYTES) ?? defined(stems.at(-1));
  return success(`${portableFileName(stem)}.${extension}`);
}

/** The ending is put behind what is left after any shortening, whether the template has it or not. */
function withoutEnding(pieces: readonly TemplatePiece[], extension: string): readonly TemplatePiece[] {
  const [before, last] = pieces.slice(-2);
  const isText = before?.kind === "text" && before.text.endsWith(".");
  if (isText && last?.kind === "field" && last.field === "ext")
    return [...pieces.slice(0, -2), { kind: "text", text: before.text.slice(0, -1) }];
  const end = pieces.at(-1);
  if (end?.kind !== "text" || !end.text.toLowerCase().endsWith(`.${extension}`)) return pieces;
  return [...pieces.slice(0, -1), { kind: "text", text: end.text.slice(0, -extension.length - 1) }];
}

function filled(pieces: readonly TemplatePiece[], valueOf: (field: TemplateField) => string): string {
  let text = "";
  let skipsSeparator = false;
  for (const piece of pieces) {
    const value = piece.kind === "text" ? piece.text : valueOf(piece.field);
    if (piece.kind === "field" && value === "") {
      const before = text;
      text = text.replace(SEPARATORS_AT_END, "");
      // At the beginning of a name the separator behind the field goes instead.
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

function valuesOf(named: NamedExport, extension: string): Readonly<Record<TemplateField, string>> {
  const { stationIds, variables, intervalSeconds, raw, format } = named.request;
  const range = intervalSeconds === null ? named.request.range : alignOutward(named.request.range, intervalSeconds);
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

/** Whole days by their names, the last one included; other moments without the colons that no file name may have. */
function endsOf({ startMs, endMs }: TimeRange): { readonly first: string; readonly last: string } {
  const areDays = startMs % DAY_MS === 0 && endMs % DAY_MS === 0;
  return areDays ? { first: day(startMs), last: day(endMs - DAY_MS) } : { first: moment(startMs), last: moment(endMs) };
}

function day(momentMs: UtcMs): string {
  return formatUtcShort(momentMs).slice(0, 10);
}

function moment(momentMs: UtcMs): string {
  const text = formatUtcShort(momentMs).replaceAll(":", "");
  return momentMs % MINUTE_MS === 0 ? `${text.slice(0, 15)}Z` : text;
}

function cut(text: string, mostCharacters: number): string {
  return Array.from(text.slice(0, 2 * mostCharacters))
    .slice(0, mostCharacters)
    .join("")
    .trim();
}
