import type { FilePage, FileRowOrder, FileWindow } from "#shared/bridge/methods/files.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import type { FormatError } from "#formats/error.ts";
import type { KeptColumns } from "../columns.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FilePageQuery, FileWindowQuery, GridPointsQuery } from "../read.ts";
import type { FileOrderQuery, FileRowsQuery, RowsOfFile } from "../rowOrder.ts";

/** What there is in a file, as it was found when it was opened. */
export type FileContents = Pick<OpenedFile, "format" | "title" | "source" | "notes" | "series" | "grids" | "table">;

/** What the thread is asked, and what it answers. */
export interface Questions {
  readonly open: {
    readonly question: {
      readonly path: string;
      readonly name: string;
      /** Of a table of text: as chosen for this file, and for others. */
      readonly columns: ChosenColumns | undefined;
      readonly remembered: readonly KeptColumns[];
    };
    readonly answer: Result<FileContents, FormatError>;
  };
  readonly windows: { readonly question: FileWindowQuery; readonly answer: Result<FileWindow[], AppFault> };
  readonly page: { readonly question: FilePageQuery; readonly answer: Result<FilePage, AppFault> };
  readonly gridPoints: { readonly question: GridPointsQuery; readonly answer: Result<FileRows[], AppFault> };
  readonly rowOrder: { readonly question: FileOrderQuery; readonly answer: Result<FileRowOrder, AppFault> };
  readonly rowsAt: { readonly question: FileRowsQuery; readonly answer: Result<RowsOfFile, AppFault> };
}

export type QuestionKind = keyof Questions;

/** To the thread. Files have the names that the asking side gives them, questions have numbers. */
export type Order =
  | {
      [K in QuestionKind]: {
        readonly kind: K;
        readonly id: number;
        readonly fileId: string;
        readonly question: Questions[K]["question"];
      };
    }[QuestionKind]
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "close"; readonly fileId: string };

/** From the thread; `failed` where nobody foresaw what was thrown. */
export type Answer = { readonly id: number } & (
  | { readonly kind: "answer"; readonly answer: Questions[QuestionKind]["answer"] }
  | { readonly kind: "failed"; readonly message: string }
);
