import { randomUUID } from "node:crypto";
import type { ChosenColumn, ChosenColumns, Remember } from "#shared/file/columns.ts";
import { lengthText } from "#shared/series/cell.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { many } from "#shared/text.ts";
import { type FormatError, openingError, unreadable } from "../error.ts";
import { bytesIn, type ForeignFile } from "../foreign/file.ts";
import { Pace } from "../source.ts";
import { type ColumnCache, createColumnCache } from "./columnCache.ts";
import { describeContent } from "./content.ts";
import { findColumn } from "./meaning/ask.ts";
import { labelByFile } from "./fileNames.ts";
import { describeParts } from "./joined.ts";
import { listed, quotedName } from "./notes.ts";
import { packedFiles } from "./packed/index.ts";
import type { Answers, Reading, SeriesFile } from "./types.ts";

export { type ColumnCache, createColumnCache } from "./columnCache.ts";
export type { FileRows, SeriesFile } from "./types.ts";

export interface OpenOptions {
  readonly signal?: AbortSignal;
  /** Common cache of several files, with one memory limit. */
  readonly cache?: ColumnCache;
  readonly member?: string;
  /** Of an archive or a folder, for its files with such columns, or those with the header `columnsOf`. */
  readonly columns?: ChosenColumns;
  readonly columnsOf?: string;
  readonly remembered?: Remember;
}

const CACHE_BYTES = 256 * 1024 * 1024;
const PART_CACHE_BYTES = 64 * 1024 * 1024;

export type ForeignSource =
  | { readonly file: ForeignFile; readonly name: string }
  | { readonly parts: readonly { readonly name: string; open(): ForeignFile }[] };

/**
 * Opens a file of series: NetCDF-3 and NetCDF-4 in any layout of CF, SINEX_TRO, COST-716, text tables, Parquet,
 * SQLite and Excel files, also compressed with gzip, and the files of a zip archive or a folder as one. The
 * format is determined by the first bytes, not by the name. Closing it closes its source, as does a failure.
 */
export async function openSource(
  source: ForeignSource,
  options: OpenOptions = {},
): Promise<Result<SeriesFile, FormatError>> {
  const { signal, cache = createColumnCache(CACHE_BYTES), member } = options;
  const own = scoped(cache);
  try {
    const opening = { own, signal, member, pace: new Pace(signal ? { signal } : {}), choice: answersOf(options) };
    const opened = await ("parts" in source
      ? openParts(
          source.parts.map(({ name, open }) => ({ name, open: (each) => openFile(open(), name, each, null) })),
          opening,
        )
      : openFile(source.file, source.name, opening, null));
    const [unused] = opening.choice.unused;
    if (unused) {
      opened.close();
      throw unreadable(`None of these files has a column ${quotedName(String(unused.column))}.`);
    }
    return success({ ...closing(opened, () => own.clear("")), notes: [...opened.notes, ...cellNotes(opened)] });
  } catch (thrown) {
    own.clear("");
    return failure(openingError(thrown, "this file"));
  }
}

interface Opening extends Reading {
  readonly signal: AbortSignal | undefined;
  readonly member: string | undefined;
  readonly choice: Choice;
}

interface Choice extends Answers {
  /** The same of a part of an archive or a folder. */
  readonly ofPart: Answers["given"];
  /** Given columns that no file has had so far. */
  readonly unused: Set<ChosenColumn>;
}

/** Answers by the given columns, in parts of an archive by those of them that a part has, and by earlier answers. */
function answersOf({ columns: given, columnsOf, remembered = () => null }: OpenOptions): Choice {
  const unused = new Set(given?.columns);
  const answer = (isOwn: (column: ChosenColumn) => boolean): ChosenColumns | null => {
    const columns = given?.columns.filter(isOwn) ?? [];
    for (const column of columns) unused.delete(column);
    // A missing value alone is one of all files.
    return given && (columns.length > 0 || given.columns.length === 0) ? { ...given, columns } : null;
  };
  return {
    unused,
    remembered,
    given: () => answer(() => true),
    ofPart: (header, names) =>
      answer(({ column }) => (columnsOf === undefined ? findColumn(names, column) >= 0 : columnsOf === header)),
  };
}

/**
 * Opens a file, which is closed with the result, and after a failure.
 * @param within the container it was unpacked from, to limit nesting: nothing is unpacked three times
 */
async function openFile(
  file: ForeignFile,
  name: string,
  opening: Opening,
  within: "zip" | "gzip" | null,
): Promise<SeriesFile> {
  try {
    const head = bytesIn(file, 0, HEAD_BYTES);
    const packed = within === "gzip" ? null : await packedFiles(file, head);
    const isPacked = packed !== null && (within !== "zip" || packed[0]?.name === null);
    if (!isPacked && opening.member !== undefined) throw unreadable(NO_MEMBERS);
    const parts = (packed ?? []).map(({ name: own, unpack }) => ({
      name: own ?? name,
      open: async (each: Opening) =>
        openFile(await unpack(opening.signal), own ?? name, each, own === null ? "gzip" : "zip"),
    }));
    const label = labelByFile(name);
    const opened = isPacked ? openParts(parts, opening) : describeContent(file, head, label, opening);
    return closing(await opened, () => file.close());
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

interface FoundPart {
  readonly name: string;
  open(opening: Opening): Promise<SeriesFile>;
}

async function openParts(all: readonly FoundPart[], opening: Opening): Promise<SeriesFile> {
  const { member, own, pace } = opening;
  const parts = member === undefined ? all : all.filter(({ name }) => name === member || name.startsWith(`${member}/`));
  const [only] = parts;
  if (!only) {
    const names = listed(all.map(({ name }) => name));
    throw unreadable(`There is no ${quotedName(member ?? "")} in it. It has ${names}.`);
  }
  if (parts.length === 1) return only.open({ ...opening, member: undefined });
  // A separate cache, because each part is closed before the next one is read.
  const cache = createColumnCache(PART_CACHE_BYTES);
  const choice = { ...opening.choice, given: opening.choice.ofPart };
  const opened = parts.map(({ name, open }) => ({
    name,
    open: () => open({ ...opening, choice, member: undefined, own: scoped(cache) }),
  }));
  return describeParts(opened, own, pace);
}

function closing(file: SeriesFile, afterwards: () => void): SeriesFile {
  return {
    ...file,
    close() {
      file.close();
      afterwards();
    },
  };
}

function cellNotes({ series }: SeriesFile): string[] {
  const counts = new Map<string, number>();
  for (const { cell } of series) {
    if (cell?.kind !== "interval") continue;
    const words = `means over ${lengthText(cell.lengthMs)}; their time is the ${cell.time} of the interval`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, n]) =>
    n === series.length ? `Values are ${words}.` : `Values of ${many(n, "series", "series")} are ${words}.`,
  );
}

const NO_MEMBERS = "This is neither a zip archive nor a folder: no file in it can be chosen.";

const HEAD_BYTES = 4_096;

function scoped(cache: ColumnCache): ColumnCache {
  const scope = `${randomUUID()}/`;
  return {
    get: (key, make) => cache.get(scope + key, make),
    clear: (prefix) => cache.clear(scope + prefix),
  };
}
