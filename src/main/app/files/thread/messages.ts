import type { FilePage, FileRowOrder, FileWindow } from "#shared/bridge/methods/files.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import type { FormatError } from "#formats/error.ts";
import type { SavedColumns } from "../columns.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FilePageQuery, FileWindowQuery, GridPointsQuery } from "../read.ts";
import type { FileOrderQuery, FileRowsQuery, RowsOfFile } from "../rowOrder.ts";

/** Contents of a file, as found when it was opened. */
type FileContents = Pick<OpenedFile, "format" | "title" | "source" | "notes" | "series" | "grids" | "table">;

/** Requests to the thread and their results. */
export interface FileRequests {
  readonly open: {
    readonly query: {
      readonly path: string;
      readonly name: string;
      /** Columns of a text table: chosen for this file, and saved for others. */
      readonly columns: ChosenColumns | undefined;
      readonly remembered: readonly SavedColumns[];
    };
    readonly result: Result<FileContents, FormatError>;
  };
  readonly windows: { readonly query: FileWindowQuery; readonly result: Result<FileWindow[], AppFault> };
  readonly page: { readonly query: FilePageQuery; readonly result: Result<FilePage, AppFault> };
  readonly gridPoints: { readonly query: GridPointsQuery; readonly result: Result<FileRows[], AppFault> };
  readonly rowOrder: { readonly query: FileOrderQuery; readonly result: Result<FileRowOrder, AppFault> };
  readonly rowsAt: { readonly query: FileRowsQuery; readonly result: Result<RowsOfFile, AppFault> };
}

export type FileRequestKind = keyof FileRequests;

/** A message to the thread. The caller chooses the ids of files and requests. */
export type ThreadMessage =
  | {
      [K in FileRequestKind]: {
        readonly kind: K;
        readonly id: number;
        readonly fileId: string;
        readonly query: FileRequests[K]["query"];
      };
    }[FileRequestKind]
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "close"; readonly fileId: string };

/** A message from the thread; `failed` for unexpected errors. */
export type ThreadResponse = { readonly id: number } & (
  | { readonly kind: "result"; readonly result: FileRequests[FileRequestKind]["result"] }
  | { readonly kind: "failed"; readonly message: string }
);
