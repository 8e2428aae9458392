import type { Variable, VariableKind } from "../service/variables.ts";
import type { ExportFormat, FileLayout } from "../file/export.ts";

/** What a snippet has to know of the files of an export. */
export interface SnippetSpec {
  readonly format: ExportFormat;
  readonly layout: FileLayout;
  /** Scalar variables, as they are in the file of series. */
  readonly variables: readonly Variable[];
  readonly files: readonly SnippetFile[];
}

export interface SnippetFile {
  /** A name beside the script, or a path. */
  readonly path: string;
  readonly kind: VariableKind;
  /** Whether it is a folder of files that are read as one. */
  readonly isFolder: boolean;
}

/** Text of a program that opens the files; null where the language reads no such format. */
export type SnippetWriter = (spec: SnippetSpec) => string | null;

/** Name of the table or dataset in a snippet. */
export function nameOf({ kind }: SnippetFile): "data" | "satellites" {
  return kind === "scalar" ? "data" : "satellites";
}
