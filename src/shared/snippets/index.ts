import { variableKind, withImpliedVariables } from "../service/variables.ts";
import { type ExportRequest, FOLDER_FORMATS } from "../file/export.ts";
import { duckdb } from "./duckdb.ts";
import { julia } from "./julia.ts";
import { matlab } from "./matlab.ts";
import { python } from "./python.ts";
import { r } from "./r.ts";
import type { SnippetFile, SnippetWriter } from "./spec.ts";

export const SNIPPET_LANGUAGES = ["python", "r", "matlab", "julia", "duckdb"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** The languages as they are called. */
export const SNIPPET_NAMES: Readonly<Record<SnippetLanguage, string>> = {
  python: "Python",
  r: "R",
  matlab: "MATLAB",
  julia: "Julia",
  duckdb: "DuckDB SQL",
};

const WRITERS: Readonly<Record<SnippetLanguage, SnippetWriter>> = { python, r, matlab, julia, duckdb };

/**
 * A program that opens the files of an export in a language and runs as it is; null where the language reads no such
 * format.
 *
 * @param paths of the data files, the series first, as an export names them; names are looked for beside the program
 * @param filesOnly whether a Parquet export is one file, as in a download
 */
export function snippetOf(
  language: SnippetLanguage,
  request: Pick<ExportRequest, "format" | "layout" | "variables">,
  paths: readonly string[],
  filesOnly = false,
): string | null {
  const { format, layout = "grid" } = request;
  const variables = withImpliedVariables(request.variables).filter((v) => variableKind(v) === "scalar");
  const files = filesOf(request, paths, filesOnly);
  return files.length === 0 ? null : WRITERS[language]({ format, layout, variables, files });
}

function filesOf(
  { format, variables }: Pick<ExportRequest, "format" | "variables">,
  paths: readonly string[],
  filesOnly: boolean,
): SnippetFile[] {
  const kinds = new Set(variables.map(variableKind));
  const isFolder = !filesOnly && FOLDER_FORMATS.has(format);
  const [first, second] = paths;
  if (first === undefined) return [];
  // A second file of delays is that of PWV; the table of stations is opened by itself.
  if (format === "sinex") return paths.map((path) => ({ path, kind: "scalar", isFolder }));
  const file = (path: string, kind: SnippetFile["kind"]): SnippetFile => ({ path, kind, isFolder });
  const sky = format === "sqlite" ? first : kinds.has("scalar") ? second : first;
  return [
    ...(kinds.has("scalar") ? [file(first, "scalar")] : []),
    ...(kinds.has("satellite") && sky !== undefined ? [file(sky, "satellite")] : []),
  ];
}
