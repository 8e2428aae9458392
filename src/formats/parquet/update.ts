import { createHash, type Hash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { failure, type Result, success } from "#shared/service/error.ts";
import { parseStored } from "#shared/storedJson.ts";
import { codeOf } from "#shared/fault.ts";
import { asFormatError, type FormatError, FormatFailure } from "../error.ts";
import { makeFolder } from "../makeFolder.ts";
import { type FileStation, Pace, type SeriesFileSource, type WriteOptions, type WrittenFile } from "../source.ts";
import { lockNames } from "../fileLock.ts";
import { isTemporaryName, sweepFolder, temporaryName } from "../leftovers.ts";
import { syncFolder, writeThroughTemporary } from "../temporary.ts";
import { ParquetFile, PartFile, type ParquetOutput } from "./file.ts";
import { fill, type Target } from "./fill.ts";
import { MANIFEST, PART_NAME, partitionName, partitionOf } from "./partitions.ts";
import { keyValuesOf, schemaOf, tableOf } from "./schema.ts";

const manifestSchema = z.object({
  version: z.literal(1),
  /** Columns, interval and filter of every partition, as JSON. */
  content: z.string(),
  /** SHA-256 of the rows of each partition, by its folder. */
  partitions: z.record(z.string(), z.string()),
});
type Manifest = z.output<typeof manifestSchema>;

/** Numbers of partitions changed by an update. */
export interface UpdatedPartitions {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

/**
 * Updates a Parquet dataset: writes the partitions (station and month) whose rows are new or different, removes empty ones,
 * and keeps all others. Each partition is replaced atomically, the manifest last: after a kill every partition is either
 * old or new, and the next update completes the work.
 *
 * @param source whole months of the stations to update; other stations and months stay
 */
export async function updateParquetDataset(
  folder: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile & UpdatedPartitions, FormatError>> {
  try {
    makeFolder(folder);
    sweepFolder(folder);
    const table = await tableOf(source, options);
    const schema = schemaOf(table, false);
    const { intervalSeconds, raw } = source;
    const content = JSON.stringify({ columns: schema.map(({ name }) => name), intervalSeconds, raw });
    const before = await lockedManifestOf(folder, content);
    const update = new Update(folder, { source, content, before }, async (part) => ParquetFile.begin(part, schema));
    const target: Target = {
      hasId: false,
      enter: (station, momentMs) => update.enter(station, momentMs),
      leave: (file, station) =>
        update.leave(() => file.finish(keyValuesOf(source, table, [station]), source.provenance.program)),
    };
    const pace = new Pace(options);
    try {
      await fill(source, table, target, pace);
    } finally {
      // After a failure, removes the unfinished partition.
      await update.abandon();
    }
    await update.removeOthers();
    await update.note();
    options.onProgress?.(pace.rows);
    return success({ path: folder, bytes: update.bytes, rows: pace.rows, ...update.counts });
  } catch (thrown) {
    return failure(asFormatError(thrown, folder));
  }
}

interface Updated {
  readonly source: SeriesFileSource;
  readonly content: string;
  readonly before: Manifest;
}

class Update {
  readonly #folder: string;
  readonly #source: SeriesFileSource;
  readonly #content: string;
  readonly #begin: (part: ParquetOutput) => Promise<ParquetFile>;
  readonly #before: Manifest["partitions"];
  /** Hashes of the partitions of this update; null for the removed ones. */
  readonly #changed = new Map<string, string | null>();
  readonly counts = { written: 0, unchanged: 0, removed: 0 };
  bytes = 0;
  readonly #seen = new Set<string>();
  #open: OpenPart | null = null;
  #isNoted = true;

  constructor(
    folder: string,
    { source, content, before }: Updated,
    begin: (part: ParquetOutput) => Promise<ParquetFile>,
  ) {
    this.#folder = folder;
    this.#source = source;
    this.#content = content;
    this.#before = before.partitions;
    this.#begin = begin;
  }

  async enter({ id }: FileStation, momentMs: number): Promise<{ file: ParquetFile; endMs: number }> {
    const { name, endMs } = partitionOf(id, momentMs);
    const partition = join(this.#folder, name);
    await mkdir(partition, { recursive: true });
    sweepFolder(partition);
    const path = join(partition, temporaryName());
    const part = await PartFile.create(path);
    const hash = createHash("sha256");
    this.#open = { name, path, part, hash };
    const file = await this.#begin({
      async write(bytes) {
        hash.update(bytes);
        await part.write(bytes);
      },
    });
    return { file, endMs };
  }

  /** @param finish writes the footer, which is not part of the hash, because it may differ each time */
  async leave(finish: () => Promise<number>): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const digest = open.hash.copy().digest("hex");
    const final = join(dirname(open.path), PART_NAME);
    const bytes = await finish();
    this.#seen.add(open.name);
    this.#changed.set(open.name, digest);
    const existing = this.#before[open.name] === digest ? await stat(final).catch(() => null) : null;
    if (existing) {
      await this.abandon();
      this.counts.unchanged++;
      this.bytes += existing.size;
      return;
    }
    await open.part.finish();
    await this.#forget();
    await rename(open.path, final);
    await syncFolder(dirname(final));
    this.#open = null;
    this.counts.written++;
    this.bytes += bytes;
  }

  /** Takes the partitions of this update out of the manifest before the first change: after a kill, their rows are unknown. */
  async #forget(): Promise<void> {
    if (!this.#isNoted) return;
    this.#isNoted = false;
    const stations = new Set(this.#source.stations.map(({ id }) => partitionName("station_id", id)));
    await this.#write(([name]) => {
      const [station = "", month = ""] = name.split("/");
      return !(stations.has(station) && this.#isInRange(month));
    });
  }

  /** Removes partitions of this update's stations and months that no longer have rows. */
  async removeOthers(): Promise<void> {
    for (const { id } of this.#source.stations) {
      const station = partitionName("station_id", id);
      // An update that was killed has written partitions that are not in the manifest.
      for (const month of await namesIn(join(this.#folder, station))) {
        const name = `${station}/${month}`;
        if (this.#seen.has(name) || !this.#isInRange(month)) continue;
        await rm(join(this.#folder, name), { recursive: true, force: true });
        this.#changed.set(name, null);
        this.counts.removed++;
      }
    }
  }

  #isInRange(month: string): boolean {
    const { startMs, endMs } = this.#source.range;
    const monthMs = Date.parse(`${month.slice("month=".length)}-01T00:00:00Z`);
    return monthMs >= startMs && monthMs < endMs;
  }

  /** Adds the changes to the manifest. */
  note(): Promise<void> {
    const changed = [...this.#changed].flatMap(([name, digest]) => (digest === null ? [] : [[name, digest] as const]));
    return this.#write(([name]) => !this.#changed.has(name), changed);
  }

  /** Writes the manifest from what it is now: an update of other stations may have changed it, too. */
  async #write(
    isKept: (entry: readonly [name: string, digest: string]) => boolean,
    added: readonly (readonly [string, string])[] = [],
  ): Promise<void> {
    using _lock = await lockNames([this.#folder]);
    const { partitions } = await manifestOf(this.#folder, this.#content);
    const all = [...Object.entries(partitions).filter(isKept), ...added].toSorted(byName);
    await writeManifest(this.#folder, { version: 1, content: this.#content, partitions: Object.fromEntries(all) });
  }

  async abandon(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    await open?.part.abandon();
    if (open) await rm(open.path, { force: true });
  }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1);

interface OpenPart {
  /** Name of the partition in the manifest. */
  readonly name: string;
  readonly path: string;
  readonly part: PartFile;
  readonly hash: Hash;
}

/** Names in a folder; none if it does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return [];
    throw thrown;
  }
}

/** The manifest, of which a first update in another process may be writing the first one. */
async function lockedManifestOf(folder: string, content: string): Promise<Manifest> {
  using _lock = await lockNames([folder]);
  return manifestOf(folder, content);
}

/**
 * Reads the manifest; writes an empty one into an empty folder, so that the folder is known as a dataset after a kill and to
 * an update in another process.
 *
 * @throws FormatFailure for any other dataset
 */
async function manifestOf(folder: string, content: string): Promise<Manifest> {
  const names = await readdir(folder);
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  const manifest = text === null ? null : parseStored(manifestSchema, text);
  if (manifest === null) {
    if (text === null && names.every(isTemporaryName)) {
      const empty: Manifest = { version: 1, content, partitions: {} };
      await writeManifest(folder, empty);
      return empty;
    }
    throw new FormatFailure(
      "invalid",
      `${folder} is not a dataset that --update made. Choose a new folder, or one of an earlier update.`,
    );
  }
  if (manifest.content === content) return manifest;
  throw new FormatFailure(
    "invalid",
    `${folder} holds other variables, another interval or another filter. Choose the same ones, or a new folder.`,
  );
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const written = await writeThroughTemporary(join(folder, MANIFEST), (path) => writeFile(path, text));
  if (!written.ok) throw new FormatFailure(written.error.kind, written.error.message, written.error.cause);
}
