import { variableKind, withImpliedVariables } from "../service/variables.ts";
import type { ExportRequest } from "../file/export.ts";
import { FORMATS } from "../file/formats.ts";
import { duckdb } from "./duckdb.ts";
import { julia } from "./julia.ts";
import { matlab } from "./matlab.ts";
import { python } from "./python.ts";
import { r } from "./r.ts";
import type { SnippetFile, SnippetWriter } from "./spec.ts";

export const SNIPPET_LANGUAGES = ["python", "r", "matlab", "julia", "duckdb"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** Display names of the languages. */
export const SNIPPET_NAMES: Readonly<Record<SnippetLanguage, string>> = {
  python: "Python",
  r: "R",
  matlab: "MATLAB",
  julia: "Julia",
  duckdb: "DuckDB SQL",
};

const WRITERS: Readonly<Record<SnippetLanguage, SnippetWriter>> = { python, r, matlab, julia, duckdb };

/**
 * Returns a complete program that opens the files of an export; null if the language does not support the format.
 *
 * @param paths paths of the data files, the series first; relative to the program
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
  const isFolder = !filesOnly && FORMATS[format].isFolder === true;
  const [first, second] = paths;
  if (first === undefined) return [];
  // A second SINEX file contains PWV.
  if (format === "sinex") return paths.map((path) => ({ path, kind: "scalar", isFolder }));
  const file = (path: string, kind: SnippetFile["kind"]): SnippetFile => ({ path, kind, isFolder });
  const sky = format === "sqlite" ? first : kinds.has("scalar") ? second : first;
  return [
    ...(kinds.has("scalar") ? [file(first, "scalar")] : []),
    ...(kinds.has("satellite") && sky !== undefined ? [file(sky, "satellite")] : []),
  ];
}
