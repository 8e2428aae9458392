import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { ChosenColumns } from "#shared/file/columns.ts";
import { lengthText } from "#shared/series/cell.ts";
import { failure, type Result, success } from "#shared/service/error.ts";
import { many } from "#shared/text.ts";
import { type FormatError, FormatFailure, undecided, unreadable } from "../error.ts";
import { bytesIn, type ForeignFile } from "../foreign/file.ts";
import { Pace } from "../source.ts";
import { type ColumnCache, createColumnCache } from "./columnCache.ts";
import { describeContent } from "./content.ts";
import { openingError } from "../openingError.ts";
import { describeParts } from "./joined.ts";
import { listed, quoted } from "./notes.ts";
import { packedFiles } from "./packed/index.ts";
import type { Answers, Reading, SeriesFile } from "./types.ts";

export { type ColumnCache, createColumnCache } from "./columnCache.ts";
export type { FileRows, SeriesFile } from "./types.ts";

export interface OpenOptions {
  readonly signal?: AbortSignal;
  /** Common cache of several files, with one memory limit. */
  readonly cache?: ColumnCache;
  readonly member?: string;
  readonly columns?: ChosenColumns;
  /** Returns the user's earlier choice for a table with this header. */
  readonly remembered?: (header: string) => Promise<ChosenColumns | null>;
  /** Opens a text table without a time column without series, so that the user can choose its columns. */
  readonly mayBeUndecided?: boolean;
}

const CACHE_BYTES = 256 * 1024 * 1024;
const PART_CACHE_BYTES = 64 * 1024 * 1024;

/** A file of others, or a folder of files, to be opened as one. */
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
  const { signal, cache = createColumnCache(CACHE_BYTES), member, columns, remembered } = options;
  const own = scoped(cache);
  try {
    const choice = { chosen: columns, remembered, mayBeUndecided: options.mayBeUndecided ?? false };
    const opening = { own, signal, member, choice, pace: new Pace(signal ? { signal } : {}) };
    const opened = await ("parts" in source
      ? openParts(
          source.parts.map(({ name, open }) => ({ name, open: (each) => openFile(open(), name, each, null) })),
          opening,
        )
      : openFile(source.file, source.name, opening, null));
    return success({ ...closing(opened, () => own.clear("")), notes: [...opened.notes, ...cellNotes(opened)] });
  } catch (thrown) {
    own.clear("");
    return failure(openingError(thrown, "this file"));
  }
}

interface Opening extends Reading {
  readonly signal: AbortSignal | undefined;
  readonly member: string | undefined;
}

/**
 * Opens a file, which is closed with the result, and after a failure.
 *
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
    const label = basename(name).replace(/(\.\w{1,7}){1,2}$/, "");
    const opened = isPacked ? openParts(parts, opening) : describeContent({ file, name, head, label }, opening);
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
    throw unreadable(`There is no ${quoted(member ?? "")} in it. It has ${names}.`);
  }
  if (parts.length === 1) return only.open({ ...opening, member: undefined });
  // A separate cache, because each part is closed before the next one is read.
  const cache = createColumnCache(PART_CACHE_BYTES);
  const opened = (remembered: Answers["remembered"], mayBeUndecided = false) =>
    parts.map(({ name, open: openPart }) => ({
      name,
      open: () => {
        const choice = { chosen: undefined, remembered, mayBeUndecided };
        return openPart({ ...opening, choice, member: undefined, own: scoped(cache) });
      },
    }));
  const { chosen, remembered, mayBeUndecided } = opening.choice;
  if (chosen === undefined) return describeParts(opened(remembered, mayBeUndecided), own, pace);
  const answered = await headerToAnswer(opened, remembered);
  const answer = async (header: string) => (header === answered ? chosen : ((await remembered?.(header)) ?? null));
  try {
    return await describeParts(opened(answer), own, pace);
  } catch (thrown) {
    if (!(thrown instanceof FormatFailure) || thrown.error.kind !== "undecided") throw thrown;
    throw undecided(`${thrown.error.message} ${ANSWER_ALONE}`, thrown.error.choices ?? []);
  }
}

const ANSWER_ALONE = "Your answer is for files with another header: open this file alone to answer, then all again.";

/** Finds which files of an archive an answer holds for: those with the header of the first file that asks, or of the first one. */
async function headerToAnswer(
  opened: (remembered: Answers["remembered"]) => readonly { open(): Promise<SeriesFile> }[],
  remembered: Answers["remembered"],
): Promise<string | undefined> {
  const headers: string[] = [];
  const parts = opened(async (header) => {
    headers.push(header);
    return (await remembered?.(header)) ?? null;
  });
  for (const part of parts)
    try {
      (await part.open()).close();
    } catch (thrown) {
      if (!(thrown instanceof FormatFailure)) throw thrown;
      if (thrown.error.kind === "undecided") return headers.at(-1);
    }
  return headers[0];
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

/** Says which values are means, and where in their intervals the times are. */
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
