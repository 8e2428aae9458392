import type { Variable, VariableKind } from "../service/variables.ts";
import type { FileLayout } from "../file/export.ts";
import type { ExportFormat } from "../file/formats.ts";

/** The files of an export, for a snippet. */
export interface SnippetSpec {
  readonly format: ExportFormat;
  readonly layout: FileLayout;
  /** Scalar variables in the file of series. */
  readonly variables: readonly Variable[];
  readonly files: readonly SnippetFile[];
}

export interface SnippetFile {
  /** Relative to the script, or absolute. */
  readonly path: string;
  readonly kind: VariableKind;
  /** Whether it is a folder of files that form one dataset. */
  readonly isFolder: boolean;
}

/** Writes a program that opens the files; returns null if the language does not support the format. */
export type SnippetWriter = (spec: SnippetSpec) => string | null;

/** Returns the variable name of a table or dataset. */
export function variableNameOf({ kind }: SnippetFile): "data" | "satellites" {
  return kind === "scalar" ? "data" : "satellites";
}
