import type { Command } from "commander";
import type { UtcMs } from "#shared/time/utc.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { readMoment, STATION_WORDS, userPath } from "../options/options.ts";
import { cachedCatalogue, namedStations, noteUnlisted } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";
import { withProgress } from "../terminal/progress.ts";
import { shrinking } from "../terminal/table.ts";
import { bytes, count, many, visible } from "../terminal/text.ts";
import { addCacheMaintenance, refuseFile } from "./cacheMaintenance.ts";
import { addCacheRepair } from "./cacheRepair.ts";
import { type AddCommand, examples, type Run } from "./types.ts";

/** `cache adopt`: recovers caches without a connection. */
function addAdopt(command: Command, run: Run): void {
  command
    .command("adopt")
    .argument("[file]", "a cache without a connection")
    .description(
      "Gives a cache its connection again, and leaves the file in place: the connection whose cache it was, if its " +
        "file is missing, else a new one, whose key you enter with connect. Its data are available at once. Without a " +
        "file, lists the caches in the data folder that have no connection.",
    )
    .option("--name <name>", "name of the connection (default: as recorded in the cache)")
    .option("--url <url>", "address of the service of these data (default: as recorded in the cache)")
    .action(
      run(async (shell: Shell, file: string | undefined, options: { name?: string; url?: string }) => {
        const app = await shell.app({ mayCreate: file !== undefined });
        if (file === undefined) {
          const caches = app.orphanedCaches();
          shell.output.document("cache adopt", { caches });
          const columns = [shrinking("File"), "Size", "Connection", "Address"];
          const rows = caches.map((c) => [c.path, bytes(c.bytes), visible(c.name ?? "?"), visible(c.baseUrl ?? "?")]);
          if (rows.length === 0) shell.output.print("Every cache in the data folder has a connection.");
          else shell.output.table(columns, rows);
          return;
        }
        const record = orStop(app.adoptCache(userPath(file), { name: options.name, baseUrl: options.url }));
        const connection = await app.connections.info(record);
        shell.output.document("cache adopt", { connection });
        shell.output.print(`“${record.name}” has its cache again.`);
        if (!connection.hasKey)
          shell.output.note(
            `No request is sent until it has a key. Next: ${shell.suggest(`connect ${record.baseUrl} --name '${record.name}'`)}`,
          );
      }),
    );
}

export const addCache: AddCommand = (program, run) => {
  const command = program
    .command("cache")
    .summary("inspect, trim, repair and compact the cache of a connection")
    .description(
      "The cache of a connection is one SQLite file with all downloaded data and their coverage. You can delete it " +
        "at any time and download the data again.",
    )
    .addHelpText(
      "after",
      examples(
        ["cache statistics", "the size of the cache"],
        ["cache forget --before 2025-01-01", "delete old data"],
        ["cache forget --stations Kallio --before 2026-01-01", "of one station"],
        ["cache stations", "size of each station, largest first"],
        ["cache pin Kallio", "protect a station from automatic deletion"],
        ["cache max-size 20GB", "delete least recently used stations above this size"],
        ["cache move /data/zenith/cache.db", "move the file"],
        ["cache compact", "return unused space to the disk"],
        ["cache check", "list damaged days"],
        ["cache repair", "remove damaged days, keep all others"],
      ),
    );
  addStatistics(command, run);
  addForget(command, run);
  addCompact(command, run);
  addPath(command, run);
  addCacheMaintenance(command, run);
  addAdopt(command, run);
  addCacheRepair(command, run);
};

function addStatistics(command: Command, run: Run): void {
  command
    .command("statistics", { isDefault: true })
    .description("Shows the size of the cache.")
    .action(
      run(async (shell) => {
        const { cache, record } = await shell.connection();
        const statistics = cache.statistics();
        shell.output.document("cache statistics", { connection: record.name, path: cache.path, ...statistics });
        const { usedBytes, fileBytes, rows, stations, chunks } = statistics;
        const perRow = rows > 0 ? `, ${(usedBytes / rows).toFixed(1)} bytes a row` : "";
        shell.output.print([
          `Cache of “${record.name}”: ${cache.path}`,
          `  ${bytes(usedBytes)}${perRow}; ${bytes(fileBytes)} on disk, with freed space`,
          `  ${count(rows)} rows of ${many(stations, "station")} in ${many(chunks, "chunk")}`,
        ]);
      }),
    );
}

function addForget(command: Command, run: Run): void {
  command
    .command("forget")
    .description(
      "Deletes measurements from the cache; the next fetch downloads them again. Exported files are not touched.",
    )
    .option("--before <time>", "only those before this time, UTC", readMoment)
    .option("--stations <words...>", STATION_WORDS)
    .option("--all", "everything but the catalogue")
    .action(
      run(async (shell, options: { before?: UtcMs; stations?: string[]; all?: boolean }) => {
        const { before, stations } = options;
        if (before === undefined && stations === undefined && !options.all) {
          throw usage("Choose the data to delete: --before, --stations, both, or --all.");
        }
        const connection = await shell.connection();
        refuseFile(connection);
        const ids =
          stations && namedStations(connection, cachedCatalogue(shell, connection), stations).map((s) => s.id);
        if (stations) noteUnlisted(shell, connection, stations);
        const range = before === undefined ? null : { startMs: 0, endMs: before };
        const rows = connection.cache.forget(ids ?? null, range);
        shell.output.document("cache forget", { forgottenRows: rows });
        shell.output.print(`Deleted ${many(rows, "row")}. “cache compact” returns the space to the disk.`);
      }),
    );
}

function addCompact(command: Command, run: Run): void {
  command
    .command("compact")
    .description(
      "Returns unused space to the disk. Temporarily needs twice the size of the remaining data. Ctrl+C leaves the " +
        "cache unchanged.",
    )
    .action(
      run(async (shell) => {
        const { cache } = await shell.connection();
        const { signal } = shell;
        const before = cache.statistics().fileBytes;
        await withProgress(shell, (pace) => cache.compact(pace)).catch((thrown: unknown) => {
          throw signal.aborted ? new Stop(EXIT.interrupted, "Stopped. The cache is unchanged.") : thrown;
        });
        const after = cache.statistics().fileBytes;
        shell.output.document("cache compact", { bytesBefore: before, bytesAfter: after });
        shell.output.print(`${bytes(before)} → ${bytes(after)}`);
      }),
    );
}

function addPath(command: Command, run: Run): void {
  command
    .command("path")
    .description("Prints the path of the cache file.")
    .action(
      run(async (shell) => {
        const { cache } = await shell.connection();
        shell.output.document("cache path", { path: cache.path });
        shell.output.text(cache.path);
      }),
    );
}
