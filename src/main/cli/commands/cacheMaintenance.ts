import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { stationLabels } from "#shared/service/catalogue.ts";
import { failure, success } from "#shared/service/error.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { fromFileFault } from "../../app/connections/connectionRecords.ts";
import { command, type Parsed, read } from "../command.ts";
import { stopFor, usage } from "../exit.ts";
import { STATIONS } from "../options/options.ts";
import { userPath } from "../options/paths.ts";
import { cachedCatalogue, namedStations } from "../options/selection.ts";
import { orStop } from "../shell.ts";
import { withProgress } from "../terminal/progress.ts";
import { amount, extra, moment, shrinking } from "../terminal/table.ts";
import { bytes, many } from "../terminal/text.ts";

/** Refuses to change the read-only cache of a session file. @throws Stop */
export function refuseFile({ record }: OpenConnection): void {
  const fault = fromFileFault(record);
  if (fault) throw stopFor(fault);
}

export const addStations = command({
  description: "Lists the size of each station, largest first.",
  async run(shell) {
    const { cache } = await shell.connection();
    const names = stationLabels(cache.catalogue());
    const stations = cache
      .sizes()
      .toSorted((a, b) => b.totalBytes - a.totalBytes)
      .map((size) => ({ ...size, name: names.get(size.stationId) ?? null }));
    shell.output.document("cache stations", { stations });
    shell.output.table(
      stations,
      {
        Station: shrinking((s) => s.name ?? s.stationId),
        Size: amount((s) => s.totalBytes, bytes, "bytes"),
        Pinned: (s) => (s.isPinned ? "pinned" : ""),
        "Used (UTC)": moment((s) => s.usedAtMs),
        ...Object.fromEntries(
          VARIABLE_NAMES.filter((v) => stations.some((s) => s.bytes[v] !== undefined)).map((v) => [
            v,
            extra(amount<(typeof stations)[number]>((s) => s.bytes[v] ?? null, bytes, "bytes")),
          ]),
        ),
        Id: extra((s) => s.stationId),
      },
      "The cache is empty.",
    );
  },
});

export const addPin = pinning("pin", "Protects stations from automatic deletion.");
export const addUnpin = pinning("unpin", "Ends that protection.");

function pinning(name: "pin" | "unpin", description: string) {
  return command({
    description,
    words: STATIONS,
    async run(shell, { stations: words }) {
      const connection = await shell.connection();
      const stations = namedStations(connection, cachedCatalogue(shell, connection), words).map((s) => s.id);
      connection.cache.pin(stations, name === "pin");
      shell.output.document("cache pin", { stations, pinned: name === "pin" });
      shell.output.print(`${name === "pin" ? "Pinned" : "Unpinned"} ${many(stations.length, "station")}.`);
    },
  });
}

export const addMaximumSize = command({
  description:
    "Sets how large the cache may become. Above that size, data of the least recently used stations are deleted; pinned " +
    "stations are kept.",
  words: { "[size]": read("500MB, 20GB, or none; without it, shows the maximum size", parseSize) },
  async run(shell, { size }) {
    const connection = await shell.connection();
    if (size !== undefined) refuseFile(connection);
    const { maximumSizes } = await shell.app();
    const before = maximumSizes.read(connection);
    const now = size === undefined ? before : await maximumSizes.set(connection, size);
    shell.output.document("cache max-size", { ...now });
    const freed = before.usedBytes - now.usedBytes;
    shell.output.print([
      now.maximumBytes === null ? "There is no maximum size." : `The maximum size is ${bytes(now.maximumBytes)}.`,
      `${bytes(now.usedBytes)} are in use.`,
      ...(freed > 0 ? [`Deleted ${bytes(freed)} of ${many(now.last?.stationIds.length ?? 0, "station")}.`] : []),
      ...(now.maximumBytes !== null && now.usedBytes > now.maximumBytes
        ? ["The cache is still larger: the remaining stations are pinned or used by a job."]
        : []),
    ]);
  },
});

export const addMove = command({
  description:
    "Moves the cache to another place: copies it, checks the copy, and only then deletes the old file. Ctrl+C leaves " +
    "the cache where it is.",
  words: { "<place>": "an existing folder, or a new file in one" },
  async run(shell, { place }) {
    const path = userPath(place);
    // A mistyped folder would be created, and the cache would be where nobody looks for it.
    const folder = dirname(path);
    if (!existsSync(folder))
      throw usage(`There is no folder ${folder}: check the path, or create the folder first. The cache was not moved.`);
    const connection = await shell.connection();
    const { cacheMaintenance } = await shell.app();
    const stopped = "Stopped. The cache stays where it is.";
    const moved = orStop(await withProgress(shell, (pace) => cacheMaintenance.move(connection, path, pace), stopped));
    shell.output.document("cache move", { ...moved });
    if (moved.warning !== null) shell.output.warn(moved.warning);
    if (moved.oldLeftAt !== null) shell.output.warn(`The old file could not be deleted: ${moved.oldLeftAt}`);
    shell.output.print(`The cache is now at ${moved.path}.`);
  },
});

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };
const MIN_BYTES = 10e6;

/** Parses "20GB" to bytes, and "none" to null. */
function parseSize(text: string): Parsed<number | null> {
  if (text === "none") return success(null);
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(MB|GB|TB)$/i.exec(text) ?? [];
  const size = Math.round(Number(amount) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (amount === "" || !Number.isSafeInteger(size)) return failure("Write it as 500MB, 20GB or none.");
  return size < MIN_BYTES ? failure("The smallest maximum size is 10MB.") : success(size);
}
