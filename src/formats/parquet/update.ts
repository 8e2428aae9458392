import { createHash, type Hash } from "node:crypto";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failure, type Result, success } from "#shared/service/error.ts";
import { monthOf, type TimeRange } from "#shared/time/range.ts";
import { codeOf } from "#shared/fault.ts";
import { asFormatError, type FormatError } from "../error.ts";
import { makeFolder } from "../makeFolder.ts";
import { type FileStation, Pace, type SeriesFileSource, type WriteOptions, type WrittenFile } from "../source.ts";
import { lockNames } from "../fileLock.ts";
import { sweepFolder, temporaryName } from "../leftovers.ts";
import { syncFolder } from "../temporary.ts";
import { ParquetFile, PartFile, type ParquetOutput } from "./file.ts";
import { fill, type Target } from "./fill.ts";
import {
  type CoverageOf,
  includesAll,
  type Known,
  knownIn,
  lockedManifestOf,
  type Manifest,
  manifestOf,
  wholeOf,
  writeManifest,
} from "./manifest.ts";
import { PART_NAME, partitionName, partitionOf } from "./partitions.ts";
import { keyValuesOf, schemaOf, tableOf } from "./schema.ts";

/** The numbers of partitions that an update changed, and of partitions that it kept because the source knows less of them. */
export interface UpdatedPartitions {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly kept: readonly { readonly stationId: string; readonly month: string }[];
}

/**
 * Updates a Parquet dataset: writes the partitions (station and month) whose rows are new or different, removes empty ones,
 * and keeps all others. A partition is only replaced by a source that knows all that was known when it was written: data
 * that are not downloaded, or no longer, are not data that do not exist. Each partition is replaced atomically, the manifest
 * last: after a kill every partition is either old or new, and the next update completes the work.
 *
 * @param source whole months of the stations to update; other stations and months stay
 */
export async function updateParquetDataset(
  folder: string,
  source: SeriesFileSource,
  coverageOf: CoverageOf,
  options: WriteOptions = {},
): Promise<Result<WrittenFile & UpdatedPartitions, FormatError>> {
  try {
    makeFolder(folder);
    sweepFolder(folder);
    const table = await tableOf(source, options);
    const schema = schemaOf(table, false);
    const { intervalSeconds, raw, resampled, stations } = source;
    const columns = schema.map(({ name }) => name);
    const heights = stations[0]?.heightReference;
    const content = JSON.stringify({ columns, intervalSeconds, raw, resampled: resampled === true, heights });
    const before = await lockedManifestOf(folder, content);
    const knownOf = (stationId: string, month: TimeRange): Known =>
      knownIn(month, stationId, source.variables, coverageOf);
    const update = new Update(folder, { source, content, before, knownOf }, async (part) =>
      ParquetFile.begin(part, schema),
    );
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

/** What the manifest tells of a partition. */
type Entry = Manifest["partitions"][string];

interface Updated {
  readonly source: SeriesFileSource;
  readonly content: string;
  readonly before: Manifest;
  readonly knownOf: (stationId: string, month: TimeRange) => Known;
}

class Update {
  readonly #folder: string;
  readonly #source: SeriesFileSource;
  readonly #content: string;
  readonly #begin: (part: ParquetOutput) => Promise<ParquetFile>;
  readonly #before: Manifest["partitions"];
  readonly #knownOf: (stationId: string, month: TimeRange) => Known;
  /** The new entries of partitions in the manifest; null for the removed ones. */
  readonly #changed = new Map<string, Entry | null>();
  readonly counts = { written: 0, unchanged: 0, removed: 0, kept: [] as UpdatedPartitions["kept"][number][] };
  bytes = 0;
  readonly #seen = new Set<string>();
  #open: OpenPart | null = null;

  constructor(
    folder: string,
    { source, content, before, knownOf }: Updated,
    begin: (part: ParquetOutput) => Promise<ParquetFile>,
  ) {
    this.#folder = folder;
    this.#source = source;
    this.#content = content;
    this.#before = before.partitions;
    this.#knownOf = knownOf;
    this.#begin = begin;
  }

  async enter({ id }: FileStation, momentMs: number): Promise<{ file: ParquetFile; endMs: number }> {
    const { name, month, range } = partitionOf(id, momentMs);
    const partition = join(this.#folder, name);
    await mkdir(partition, { recursive: true });
    sweepFolder(partition);
    const path = join(partition, temporaryName());
    const part = await PartFile.create(path);
    const hash = createHash("sha256");
    this.#open = { name, stationId: id, month, known: this.#knownOf(id, range), path, part, hash };
    const file = await this.#begin({
      async write(bytes) {
        hash.update(bytes);
        await part.write(bytes);
      },
    });
    return { file, endMs: range.endMs };
  }

  /** @param finish writes the footer, which is not part of the hash, because it may differ each time */
  async leave(finish: () => Promise<number>): Promise<void> {
    const open = this.#open;
    if (!open) return;
    const { name, stationId, month, known } = open;
    const rows = open.hash.copy().digest("hex");
    const final = join(dirname(open.path), PART_NAME);
    const bytes = await finish();
    this.#seen.add(name);
    const before = this.#before[name];
    const existing = before && (await stat(final).catch(() => null));
    if (before && existing) {
      const isSame = before.rows === rows;
      const isKnown = includesAll(known, before.known);
      if (isSame && isKnown) this.#changed.set(name, { rows, known });
      if (isSame) this.counts.unchanged++;
      else if (!isKnown) this.counts.kept.push({ stationId, month });
      if (isSame || !isKnown) {
        await this.abandon();
        this.bytes += existing.size;
        return;
      }
    }
    await open.part.finish();
    await this.#forget(name);
    await rename(open.path, final);
    await syncFolder(dirname(final));
    this.#open = null;
    this.#changed.set(name, { rows, known });
    this.counts.written++;
    this.bytes += bytes;
  }

  /** Takes a partition out of the manifest before it changes: after a kill, its rows are unknown. */
  async #forget(name: string): Promise<void> {
    if (this.#before[name]) await this.#write(([each]) => each !== name);
  }

  /** Removes partitions of this update's stations and months that no longer have rows. */
  async removeOthers(): Promise<void> {
    for (const { id } of this.#source.stations) {
      const station = partitionName("station_id", id);
      // An update that was killed has written partitions that are not in the manifest.
      for (const entry of await namesIn(join(this.#folder, station))) {
        const name = `${station}/${entry}`;
        if (this.#seen.has(name) || !this.#isInRange(entry)) continue;
        const month = entry.slice("month=".length);
        const whole = monthOf(Date.parse(`${month}-01T00:00:00Z`));
        const known = this.#knownOf(id, whole);
        if (!includesAll(known, this.#before[name]?.known ?? wholeOf(known, whole))) {
          this.counts.kept.push({ stationId: id, month });
          continue;
        }
        await this.#forget(name);
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
    const changed = [...this.#changed].flatMap(([name, entry]) => (entry === null ? [] : [[name, entry] as const]));
    return this.#write(([name]) => !this.#changed.has(name), changed);
  }

  /** Writes the manifest from what it is now: an update of other stations may have changed it, too. */
  async #write(
    isKept: (entry: readonly [name: string, entry: Entry]) => boolean,
    added: readonly (readonly [string, Entry])[] = [],
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

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

interface OpenPart {
  /** Name of the partition in the manifest. */
  readonly name: string;
  readonly stationId: string;
  readonly month: string;
  readonly known: Known;
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
