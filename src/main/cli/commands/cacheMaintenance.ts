import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { stationLabels } from "#shared/service/catalogue.ts";
import { type Command, InvalidArgumentError } from "commander";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { fromFileFault } from "../../app/connections/connectionRecords.ts";
import { stopFor, usage } from "../exit.ts";
import { userPath } from "../options/options.ts";
import { cachedCatalogue, namedStations } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";
import { extra, right, shrinking } from "../terminal/table.ts";
import { bytes, many, minuteText } from "../terminal/text.ts";
import type { Run } from "./types.ts";

/** `cache stations`, `pin`, `unpin`, `max-size` and `move`. */
export function addCacheMaintenance(command: Command, run: Run): void {
  addStations(command, run);
  addPin(command, run, true);
  addPin(command, run, false);
  addMaximumSize(command, run);
  addMove(command, run);
}

/** Refuses to change the read-only cache of a session file. @throws Stop */
export function refuseFile({ record }: OpenConnection): void {
  const fault = fromFileFault(record);
  if (fault) throw stopFor(fault);
}

function addStations(command: Command, run: Run): void {
  command
    .command("stations")
    .description("Lists the size of each station, largest first.")
    .action(
      run(async (shell) => {
        const { cache } = await shell.connection();
        const names = stationLabels(cache.catalogue());
        const sizes = cache.sizes().toSorted((a, b) => b.totalBytes - a.totalBytes);
        shell.output.document("cache stations", {
          stations: sizes.map((size) => ({ ...size, name: names.get(size.stationId) ?? null })),
        });
        const rows = sizes.map(({ stationId, totalBytes, usedAtMs, isPinned, bytes: sizeOf }) => [
          names.get(stationId) ?? stationId,
          bytes(totalBytes),
          isPinned ? "pinned" : "",
          usedAtMs === null ? "" : minuteText(usedAtMs),
          VARIABLE_NAMES.flatMap((v) => (sizeOf[v] === undefined ? [] : `${v} ${bytes(sizeOf[v])}`)).join(", "),
          stationId,
        ]);
        const columns = [shrinking("Station"), right("Size"), "Pinned", "Used (UTC)", ...extra("Of variables", "Id")];
        if (rows.length === 0) shell.output.print("The cache is empty.");
        else shell.output.table(columns, rows);
      }),
    );
}

function addPin(command: Command, run: Run, isPinned: boolean): void {
  command
    .command(isPinned ? "pin" : "unpin")
    .argument("<words...>", "stations: name, id, network:CODE, country:FI, group:NAME, near:LAT,LON,KM or all")
    .description(isPinned ? "Protects stations from automatic deletion." : "Ends that protection.")
    .action(
      run(async (shell: Shell, words: string[]) => {
        const connection = await shell.connection();
        const stations = namedStations(connection, cachedCatalogue(shell, connection), words);
        connection.cache.pin(
          stations.map((s) => s.id),
          isPinned,
        );
        shell.output.document("cache pin", { stations: stations.map((s) => s.id), pinned: isPinned });
        shell.output.print(`${isPinned ? "Pinned" : "Unpinned"} ${many(stations.length, "station")}.`);
      }),
    );
}

function addMaximumSize(command: Command, run: Run): void {
  command
    .command("max-size")
    .argument("[size]", "500MB, 20GB, or none; without it, shows the maximum size", readSize)
    .description(
      "Sets how large the cache may become. Above that size, data of the least recently used stations are deleted; pinned " +
        "stations are kept.",
    )
    .action(
      run(async (shell: Shell, size: number | null | undefined) => {
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
            ? ["That is more than that: the remaining stations are pinned, or used by a job."]
            : []),
        ]);
      }),
    );
}

function addMove(command: Command, run: Run): void {
  command
    .command("move")
    .argument("<place>", "an existing folder, or a new file in one")
    .description("Moves the cache to another place: copies it, checks the copy, and only then deletes the old file.")
    .action(
      run(async (shell: Shell, place: string) => {
        const path = userPath(place);
        // A mistyped folder would be created, and the cache would be where nobody looks for it.
        const folder = dirname(path);
        if (!existsSync(folder))
          throw usage(
            `There is no folder ${folder}: check the path, or create the folder first. The cache was not moved.`,
          );
        const connection = await shell.connection();
        const { cacheMaintenance } = await shell.app();
        const moved = orStop(await cacheMaintenance.move(connection, path));
        shell.output.document("cache move", { ...moved });
        if (moved.warning !== null) shell.output.warn(moved.warning);
        if (moved.oldLeftAt !== null) shell.output.warn(`The old file could not be deleted: ${moved.oldLeftAt}`);
        shell.output.print(`The cache is now at ${moved.path}.`);
      }),
    );
}

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };
const MIN_BYTES = 10e6;

/** Parses "20GB" to bytes, and "none" to null. */
function readSize(text: string): number | null {
  if (text === "none") return null;
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(MB|GB|TB)$/i.exec(text) ?? [];
  const size = Math.round(Number(amount) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (amount === "" || !Number.isSafeInteger(size)) throw new InvalidArgumentError("Write it as 500MB, 20GB or none.");
  if (size < MIN_BYTES) throw new InvalidArgumentError("The smallest maximum size is 10MB.");
  return size;
}
