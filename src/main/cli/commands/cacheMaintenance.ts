import { stationLabels } from "#shared/service/catalogue.ts";
import { type Command, InvalidArgumentError } from "commander";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { fromFileFault } from "../../app/connections/connectionRecords.ts";
import { stopFor } from "../exit.ts";
import { userPath } from "../options/place.ts";
import { keptCatalogue, namedStations } from "../options/selection.ts";
import { orStop, type Shell } from "../shell.ts";
import { bytes, many, visible } from "../terminal/text.ts";
import type { Run } from "./types.ts";

/** What each station takes, pins, the size limit, and another place for the file. */
export function addCacheMaintenance(command: Command, run: Run): void {
  addStations(command, run);
  addPin(command, run, true);
  addPin(command, run, false);
  addLimit(command, run);
  addMove(command, run);
}

/** Data that came in a file are only read. @throws Stop */
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
        shell.output.document({
          stations: sizes.map((size) => ({ ...size, name: names.get(size.stationId) ?? null })),
        });
        shell.output.print(
          sizes.map((size) => {
            const { stationId, totalBytes, usedAtMs, isPinned } = size;
            const parts = VARIABLE_NAMES.flatMap((v) =>
              size.bytes[v] === undefined ? [] : `${v} ${bytes(size.bytes[v])}`,
            );
            const used = usedAtMs === null ? "" : `, last used ${formatUtcShort(usedAtMs)}`;
            const name = visible(names.get(stationId) ?? stationId);
            const held = parts.length === 0 ? "asked, no rows" : parts.join(", ");
            return `${bytes(totalBytes).padStart(8)}  ${name}${isPinned ? " (pinned)" : ""}: ${held}${used}`;
          }),
        );
      }),
    );
}

function addPin(command: Command, run: Run, isPinned: boolean): void {
  command
    .command(isPinned ? "pin" : "unpin")
    .argument("<words...>", "stations: name, id, network:CODE, country:FI, group:NAME, near:LAT,LON,KM or all")
    .description(
      isPinned ? "Keeps stations when room is made for the size limit." : "Lets stations go again when room is made.",
    )
    .action(
      run(async (shell: Shell, words: string[]) => {
        const connection = await shell.connection();
        const stations = namedStations(connection, keptCatalogue(shell, connection), words);
        connection.cache.pin(
          stations.map((s) => s.id),
          isPinned,
        );
        shell.output.document({ stations: stations.map((s) => s.id), pinned: isPinned });
        shell.output.print(`${isPinned ? "Pinned" : "Unpinned"} ${many(stations.length, "station")}.`);
      }),
    );
}

function addLimit(command: Command, run: Run): void {
  command
    .command("limit")
    .argument("[size]", "500MB, 20GB, or none; without it, what is set", readSize)
    .description(
      "Limits the size of the cache. Above the limit, data of the least recently used stations are deleted; pinned " +
        "stations are kept.",
    )
    .action(
      run(async (shell: Shell, size: number | null | undefined) => {
        const connection = await shell.connection();
        if (size !== undefined) refuseFile(connection);
        const { limits } = await shell.app();
        const before = limits.read(connection);
        const now = size === undefined ? before : await limits.set(connection, size);
        shell.output.document({ ...now });
        const freed = before.usedBytes - now.usedBytes;
        shell.output.print([
          now.limitBytes === null ? "There is no limit." : `The limit is ${bytes(now.limitBytes)}.`,
          `${bytes(now.usedBytes)} are in use.`,
          ...(freed > 0
            ? [`Room was made: ${bytes(freed)} of ${many(now.last?.stationIds.length ?? 0, "station")}.`]
            : []),
          ...(now.limitBytes !== null && now.usedBytes > now.limitBytes
            ? ["That is more than the limit: what is left is pinned, or a job fetches it or keeps it up to date."]
            : []),
        ]);
      }),
    );
}

function addMove(command: Command, run: Run): void {
  command
    .command("move")
    .argument("<file>", "where the cache is to lie; nothing may be there yet")
    .description("Moves the cache to another file: copies it, checks the copy, and only then deletes the old one.")
    .action(
      run(async (shell: Shell, file: string) => {
        const connection = await shell.connection();
        const app = await shell.app();
        const moved = orStop(await app.moveCache(connection, userPath(file)));
        shell.output.document({ ...moved });
        if (moved.warning !== null) shell.output.warn(moved.warning);
        if (moved.oldLeftAt !== null) shell.output.warn(`The old file could not be deleted: ${moved.oldLeftAt}`);
        shell.output.print(`The cache is at ${moved.path} now.`);
      }),
    );
}

const UNITS: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 };
const LEAST_BYTES = 10e6;

/** Bytes of "20GB"; null of "none". */
function readSize(text: string): number | null {
  if (text === "none") return null;
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*(MB|GB|TB)$/i.exec(text) ?? [];
  const size = Math.round(Number(amount) * (UNITS[unit.toUpperCase()] ?? Number.NaN));
  if (amount === "" || !Number.isSafeInteger(size)) throw new InvalidArgumentError("Write it as 500MB, 20GB or none.");
  if (size < LEAST_BYTES) throw new InvalidArgumentError("The least is 10MB.");
  return size;
}
