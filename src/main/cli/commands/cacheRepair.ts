import type { Command } from "commander";
import type { CacheFindings } from "#shared/series/cache.ts";
import { many } from "#shared/text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { quarantinedFiles, removeDatabase } from "../../store/index.ts";
import type { WorkPace } from "../../store/types.ts";
import { damageLines } from "../damage.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { orStop, type Shell } from "../shell.ts";
import { right } from "../terminal/table.ts";
import { bytes, count, visible } from "../terminal/text.ts";
import { withProgress } from "../terminal/progress.ts";
import { refuseFile } from "./cacheMaintenance.ts";
import type { Run } from "./types.ts";

/** `cache check`, `repair` and `quarantine`. */
export function addCacheRepair(command: Command, run: Run): void {
  addCheck(command, run);
  addRepair(command, run);
  addQuarantine(command, run);
}

function addCheck(command: Command, run: Run): void {
  command
    .command("check")
    .description(
      "Reads the whole cache and lists damaged days. Changes nothing. Exit code 0: intact; 3: damage was found.",
    )
    .action(
      run(async (shell) => {
        const { cache } = await shell.connection();
        const findings = await stoppable(shell, (pace) => cache.check(pace));
        shell.output.document("cache check", { ...findings });
        if (isIntact(findings)) {
          shell.output.print("Everything was read. No damage was found.");
          return EXIT.ok;
        }
        shell.output.print([
          ...damageLines(cache, findings.damages),
          ...(findings.structure === null ? [] : [`The file itself is broken: ${visible(findings.structure)}.`]),
          `“${shell.suggest("cache repair")}” keeps everything else.`,
        ]);
        return EXIT.incomplete;
      }),
    );
}

function addRepair(command: Command, run: Run): void {
  command
    .command("repair")
    .description(
      "Removes damaged days and keeps all others. The next fetch downloads the removed data again. Exit code 0: the " +
        "cache is intact now.",
    )
    .action(
      run(async (shell) => {
        const connection = await shell.connection();
        const { cache } = connection;
        const { cacheMaintenance } = await shell.app();
        const { findings, rebuilt } = orStop(
          await stoppable(shell, (pace) => cacheMaintenance.repair(connection, pace)),
        );
        shell.output.document("cache repair", { ...findings, rebuilt });
        const damages = findings?.damages ?? [];
        if (damages.length === 0 && rebuilt === null) {
          shell.output.print("Everything was read. No damage was found.");
          return;
        }
        shell.output.print([
          ...damageLines(cache, damages),
          rebuilt === null
            ? "The cache is intact now. The next fetch downloads the removed data again."
            : `The file was broken. A new one has ${many(rebuilt.rows, "intact row")}; the old one was moved to quarantine as ${rebuilt.quarantinedPath}.`,
        ]);
      }),
    );
}

function addQuarantine(command: Command, run: Run): void {
  const quarantine = command
    .command("quarantine")
    .description("Lists, adopts and deletes damaged cache files in quarantine.");
  quarantine
    .command("list", { isDefault: true })
    .description("Lists the files, the newest first.")
    .action(
      run(async (shell) => {
        const { cache } = await shell.connection();
        const files = quarantinedFiles(cache.path);
        shell.output.document("cache quarantine list", { files });
        if (files.length === 0) return shell.output.print("No files are in quarantine.");
        const rows = files.map(({ name, bytes: size, atMs }) => [name, bytes(size), formatUtcShort(atMs)]);
        shell.output.table(["File", right("Size"), "Since (UTC)"], rows);
      }),
    );
  quarantine
    .command("adopt")
    .argument("[file]", "name of the file; optional if there is only one")
    .description("Copies intact data that the cache lacks from a file. The file stays until it is deleted.")
    .action(
      run(async (shell: Shell, word: string | undefined) => {
        const connection = await shell.connection();
        refuseFile(connection);
        const { name } = chosen(connection, word);
        const { cacheMaintenance } = await shell.app();
        const { rows } = orStop(
          await stoppable(shell, (pace) => cacheMaintenance.adoptQuarantined(connection, name, pace)),
        );
        shell.output.document("cache quarantine adopt", { file: name, rows });
        shell.output.print(`${many(rows, "row")} copied. ${visible(name)} can be deleted now.`);
      }),
    );
  quarantine
    .command("delete")
    .argument("[file]", "name of the file")
    .option("--all", "all of them")
    .description("Deletes a file, or all of them.")
    .action(
      run(async (shell: Shell, word: string | undefined, { all = false }: { all?: boolean }) => {
        const connection = await shell.connection();
        if (word === undefined && !all) throw usage("Name the file to delete, or use --all.");
        const files = all ? quarantinedFiles(connection.cache.path) : [chosen(connection, word)];
        for (const file of files) {
          if (!removeDatabase(file.path)) throw new Stop(EXIT.disk, `${file.path} could not be deleted.`);
        }
        shell.output.document("cache quarantine delete", { deleted: files.map(({ name }) => name) });
        shell.output.print(`Deleted ${count(files.length)} ${files.length === 1 ? "file" : "files"}.`);
      }),
    );
}

function chosen({ cache }: OpenConnection, word: string | undefined) {
  const files = quarantinedFiles(cache.path);
  const file = word === undefined ? files[0] : files.find(({ name, path }) => name === word || path === word);
  if (word === undefined && files.length > 1) throw usage(`Choose a file: ${files.map(({ name }) => name).join(", ")}`);
  if (!file)
    throw usage(
      word === undefined ? "No files are in quarantine." : `No file named ${visible(word)} is in quarantine.`,
    );
  return file;
}

function isIntact({ damages, structure }: CacheFindings): boolean {
  return damages.length === 0 && structure === null;
}

async function stoppable<T>(shell: Shell, work: (pace: WorkPace) => Promise<T>): Promise<T> {
  return withProgress(shell, work).catch((thrown: unknown) => {
    throw shell.signal.aborted ? new Stop(EXIT.interrupted, "Stopped. Completed repairs are kept.") : thrown;
  });
}
