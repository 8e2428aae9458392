import { EXIT, Stop, usage } from "../exit.ts";
import { command, read } from "../command.ts";
import { parseTime, STATION_WORDS } from "../options/options.ts";
import { parseVariables } from "../options/parse.ts";
import { userPath } from "../options/paths.ts";
import { cachedCatalogue, namedStations, noteUnlisted } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { withProgress } from "../terminal/progress.ts";
import { amount, shrinking } from "../terminal/table.ts";
import { bytes, count, many, visible } from "../terminal/text.ts";
import { addMaximumSize, addMove, addPin, addStations, addUnpin, refuseFile } from "./cacheMaintenance.ts";
import { addCheck, addQuarantine, addRepair } from "./cacheRepair.ts";

const addAdopt = command({
  description:
    "Gives a cache its connection again, and leaves the file in place: the connection whose cache it was, if its " +
    "file is missing, else a new one, whose key you enter with connect. Its data are available at once. Without a " +
    "file, lists the caches in the data folder that have no connection.",
  words: {
    "[file]": "a cache without a connection",
    "--name <name>": "name of the connection (default: as recorded in the cache)",
    "--url <url>": "address of the service of these data (default: as recorded in the cache)",
  },
  async run(shell, { file, name, url }) {
    const app = await shell.app({ mayCreate: file !== undefined });
    if (file === undefined) {
      const caches = app.orphanedCaches();
      shell.output.document("cache adopt", { caches });
      return shell.output.table(
        caches,
        {
          File: shrinking((c) => c.path),
          Size: amount((c) => c.bytes, bytes, "bytes"),
          Connection: (c) => visible(c.name ?? "?"),
          Address: (c) => visible(c.baseUrl ?? "?"),
        },
        "Every cache in the data folder has a connection.",
      );
    }
    const record = orStop(app.adoptCache(userPath(file), { name, baseUrl: url }));
    const connection = await app.connections.info(record);
    shell.output.document("cache adopt", { connection });
    shell.output.print(`“${record.name}” has its cache again.`);
    if (!connection.hasKey)
      shell.output.note(
        `No request is sent until it has a key. Next: ${shell.suggest(`connect ${record.baseUrl} --name '${record.name}'`)}`,
      );
  },
});

const addStatistics = command({
  description: "Shows the size of the cache.",
  async run(shell) {
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
  },
});

/** The latest time that a computer can write. */
const LATEST_MS = 8.64e15;

const addForget = command({
  description:
    "Deletes measurements from the cache; the next fetch downloads them again. Exported files are not touched. Ctrl+C " +
    "keeps the rest.",
  words: {
    "--from <time>": read("only those from this time on, UTC", parseTime),
    "--before <time>": read("only those before this time, UTC", parseTime),
    "--stations <words...>": STATION_WORDS,
    "--vars <list>": read("only these variables, separated by commas", parseVariables),
    "--all": "everything but the catalogue",
  },
  async run(shell, { from, before, stations, vars, all }) {
    if ([from, before, stations, vars].every((word) => word === undefined) && !all)
      throw usage("Choose the data to delete: --from, --before, --stations or --vars, in any combination, or --all.");
    if (from !== undefined && before !== undefined && from >= before)
      throw usage("--before must be later than --from: write the earlier time after --from.");
    const connection = await shell.connection();
    refuseFile(connection);
    const ids = stations && namedStations(connection, cachedCatalogue(shell, connection), stations).map((s) => s.id);
    if (stations) noteUnlisted(shell, connection, stations);
    const range = { startMs: from ?? 0, endMs: before ?? LATEST_MS };
    const forgetting = { stationIds: ids ?? null, range, variables: vars ?? null };
    const { cache } = connection;
    const rows = await withProgress(shell, (pace) => cache.forgetInSteps(forgetting, pace.onProgress, pace.signal));
    shell.output.document("cache forget", { forgottenRows: rows });
    if (shell.signal.aborted) throw new Stop(EXIT.interrupted, `Stopped. ${many(rows, "row")} were deleted.`);
    shell.output.print(`Deleted ${many(rows, "row")}. “cache compact” returns the space to the disk.`);
  },
});

const addCompact = command({
  description:
    "Returns unused space to the disk. Temporarily needs twice the size of the remaining data. Ctrl+C leaves the " +
    "cache unchanged.",
  async run(shell) {
    const { cache } = await shell.connection();
    const before = cache.statistics().fileBytes;
    await withProgress(shell, (pace) => cache.compact(pace), "Stopped. The cache is unchanged.");
    const after = cache.statistics().fileBytes;
    shell.output.document("cache compact", { bytesBefore: before, bytesAfter: after });
    shell.output.print(`${bytes(before)} → ${bytes(after)}`);
  },
});

const addPath = command({
  description: "Prints the path of the cache file.",
  async run(shell) {
    const { cache } = await shell.connection();
    shell.output.document("cache path", { path: cache.path });
    shell.output.text(cache.path);
  },
});

export const addCache = command({
  description:
    "The cache of a connection is one SQLite file with all downloaded data and their coverage. You can delete it " +
    "at any time and download the data again.",
  examples: [
    ["cache statistics", "the size of the cache"],
    ["cache forget --before 2025-01-01", "delete old data"],
    ["cache forget --stations Kallio --from 2026-10-05 --before 2026-10-06", "a day of one station"],
    ["cache stations", "size of each station, largest first"],
    ["cache pin Kallio", "protect a station from automatic deletion"],
    ["cache max-size 20GB", "delete least recently used stations above this size"],
    ["cache move /data/zenith/cache.db", "move the file"],
    ["cache compact", "return unused space to the disk"],
    ["cache check", "list damaged days"],
    ["cache repair", "remove damaged days, keep all others"],
  ],
  byDefault: "statistics",
  commands: {
    statistics: addStatistics,
    forget: addForget,
    compact: addCompact,
    path: addPath,
    stations: addStations,
    pin: addPin,
    unpin: addUnpin,
    "max-size": addMaximumSize,
    move: addMove,
    adopt: addAdopt,
    check: addCheck,
    repair: addRepair,
    quarantine: addQuarantine,
  },
});
