import type { FormatError, FormatErrorKind } from "#formats/error.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FilePage, FileRowOrder, FileWindow } from "#shared/bridge/methods/files.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ChosenColumns, KeptColumns } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import type { FilePageQuery, FileWindowQuery, GridPointsQuery } from "../read.ts";
import type { FileOrderQuery, FileRowsQuery, RowsOfFile } from "../rowOrder.ts";

// Between a core, which has the files, and a guest, which parses them. The guest names files by numbers that it was given.

/** Contents of a file, as found when it was opened. */
export interface FileContents extends Pick<
  OpenedFile,
  "format" | "title" | "source" | "notes" | "series" | "grids" | "table"
> {
  /** See `SeriesFile`. */
  readonly unreadFiles: readonly string[];
}

/** A granted file, or a folder of files by name. */
export type GuestSource =
  | { readonly kind: "file"; readonly handle: number; readonly bytes: number; readonly name: string }
  | { readonly kind: "folder"; readonly folder: number; readonly names: readonly string[]; readonly name: string };

/** Requests to the guest and their results. */
export interface FileRequests {
  readonly open: {
    readonly query: {
      readonly source: GuestSource;
      /** The only file or folder of an archive or a folder to open. */
      readonly member?: string;
      /** Columns of a text table that the user chose. */
      readonly columns?: ChosenColumns;
      /** See `OpenOptions`. */
      readonly columnsOf?: string;
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

/** A request. The core chooses the ids of files and requests. */
export type GuestRequest = {
  [K in FileRequestKind]: {
    readonly kind: K;
    readonly id: number;
    readonly fileId: string;
    readonly query: FileRequests[K]["query"];
  };
}[FileRequestKind];

export type ToGuest =
  | GuestRequest
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "close"; readonly fileId: string }
  | GuestAnswer;

/** What a guest asks its core for, one call at a time, waiting for the answer. */
export type GuestCall =
  | { readonly op: "read"; readonly handle: number; readonly position: number; readonly length: number }
  | { readonly op: "part"; readonly folder: number; readonly index: number }
  | { readonly op: "scratch" }
  | { readonly op: "write"; readonly handle: number; readonly position: number; readonly bytes: Uint8Array }
  | { readonly op: "close"; readonly handle: number }
  /** See `Remember`. */
  | { readonly op: "remembered"; readonly header: string; readonly now: KeptColumns | null };

/** The answer to a call: bytes, any other value, or an error of the disk with its code. */
export interface GuestAnswer {
  readonly kind: "answer";
  readonly bytes?: Uint8Array;
  readonly value?: unknown;
  readonly error?: { readonly kind: FormatErrorKind | null; readonly message: string; readonly code: string };
}

/** Why a guest ended, or has to be ended. */
export type EndReason = "stuck" | "memory" | "crash" | "cancelled";

export type FromGuest =
  | { readonly kind: "result"; readonly id: number; readonly result: FileRequests[FileRequestKind]["result"] }
  /** An unexpected error. */
  | { readonly kind: "failed"; readonly id: number; readonly message: string }
  | ({ readonly kind: "call" } & GuestCall)
  /** It cannot go on. `id`: the request that it worked on. `cause`: for the log */
  | {
      readonly kind: "end";
      readonly reason: EndReason;
      readonly id: number | null;
      readonly cause: string;
    };

/** Largest number of bytes in a call or an answer. */
export const MAX_CALL_BYTES = 1 << 20;
/** Limit of a guest's memory: more than the columns that a plot of ten years takes, and no danger for a computer. */
export const MAX_MEMORY_MB = 512;
/** A guest that makes no progress for this time is ended. */
export const HANG_MS = 10_000;
