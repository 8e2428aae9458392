import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { FormatError } from "#formats/error.ts";
import type { FileRows } from "#formats/open/index.ts";
import type { FilePage } from "#shared/bridge/methods/files.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { GridPoint } from "#shared/file/opened.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { pages } from "./files.ts";
import type { FileContents } from "./guest/protocol.ts";
import { type FileReader, GuestLost, type ReaderQueries } from "./guest/reader.ts";

/** A file of others, open for one command. */
interface ForeignContents extends FileContents {
  rows(seriesId: string): Promise<Result<FileRows, AppFault>>;
  gridPoints(gridId: string, points: readonly GridPoint[]): Promise<Result<FileRows[], AppFault>>;
  close(): void;
}

/** Opens a file or a folder. */
export async function openForeign(
  reader: FileReader,
  path: string,
  { signal, ...options }: Omit<ReaderQueries["open"], "path" | "name"> & { readonly signal: AbortSignal },
): Promise<Result<ForeignContents, FormatError>> {
  const id = randomUUID();
  const name = basename(path);
  const opened = await reader.request("open", id, { path, name, ...options }, signal).catch((thrown: unknown) => {
    if (signal.aborted) return failure({ kind: "cancelled", message: "Opening was stopped.", cause: null } as const);
    if (!(thrown instanceof GuestLost)) throw thrown;
    const message = `${path} was not opened: ${thrown.message}.`;
    return failure({ kind: "unreadable", message, cause: null } as const);
  });
  if (!opened.ok) return opened;
  const orLost = (thrown: unknown): Result<never, AppFault> => {
    if (!(thrown instanceof GuestLost)) throw thrown;
    return usageFailure(`${path} was closed: ${thrown.message}.`);
  };
  return success({
    ...opened.value,
    async rows(seriesId) {
      const query = { seriesIds: [seriesId], range: null, offset: 0, limit: Number.MAX_SAFE_INTEGER };
      const page = await pages(query, (part) => reader.request("page", id, part, signal).catch(orLost));
      return page.ok ? success(rowsOfPage(page.value)) : page;
    },
    gridPoints: (gridId, points) => reader.request("gridPoints", id, { gridId, points }, signal).catch(orLost),
    close: () => reader.close(id),
  });
}

/** The rows of a page of one series. */
export function rowsOfPage({ timesMs, columns }: FilePage): FileRows {
  return { timesMs, values: columns[0] ?? new Float64Array(timesMs.length) };
}
