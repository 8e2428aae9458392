import type { FormatError } from "#formats/error.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FilePage, FileRowOrder, FileWindow } from "#shared/bridge/methods/files.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ChosenColumns } from "#shared/file/columns.ts";
import type { OpenedFile } from "#shared/file/opened.ts";
import type { Result } from "#shared/service/error.ts";
import type { SavedColumns } from "../columns.ts";
import type { FilePageQuery, FileWindowQuery, GridPointsQuery } from "../read.ts";
import type { FileOrderQuery, FileRowsQuery, RowsOfFile } from "../rowOrder.ts";

// A thread that hangs cannot report it, so it writes a heartbeat to shared memory.

/** Shared with the thread: number of turns of its event loop, and the id of its current request. */
export type Heartbeat = Int32Array<SharedArrayBuffer>;

const BEATS = 0;
const CURRENT_REQUEST = 1;
const NO_REQUEST = -1;

/** Interval of the thread's timer. */
const BEAT_MS = 500;

export function createHeartbeat(): Heartbeat {
  const heartbeat = new Int32Array(new SharedArrayBuffer(8));
  heartbeat[CURRENT_REQUEST] = NO_REQUEST;
  return heartbeat;
}

/** Called in the thread: signals that it is alive. */
export function startHeartbeat(heartbeat: Heartbeat): void {
  const add = (): number => Atomics.add(heartbeat, BEATS, 1);
  add();
  setInterval(add, BEAT_MS);
}

/** Called in the thread: sets the request that it works on; null for none. */
export function setCurrentRequest(heartbeat: Heartbeat, question: number | null): void {
  Atomics.store(heartbeat, CURRENT_REQUEST, question ?? NO_REQUEST);
}

export function currentRequest(heartbeat: Heartbeat): number | null {
  const question = Atomics.load(heartbeat, CURRENT_REQUEST);
  return question === NO_REQUEST ? null : question;
}

/**
 * Calls `onHang` when the heartbeat stood still for several checks in a row. Counts checks instead of time, which
 * continues while a computer sleeps.
 *
 * @returns a function that ends the watch
 */
export function watchHeartbeat(heartbeat: Heartbeat, limitMs: number, onHang: () => void): () => void {
  let [last, still] = [-1, 0];
  const timer = setInterval(() => {
    const now = Atomics.load(heartbeat, BEATS);
    // Before the first heartbeat, the thread is still starting.
    still = now > 0 && now === last ? still + 1 : 0;
    last = now;
    if (still * BEAT_MS * 2 >= limitMs) onHang();
  }, BEAT_MS * 2);
  timer.unref();
  return () => clearInterval(timer);
}

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
