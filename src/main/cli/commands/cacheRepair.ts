import { many } from "#shared/text.ts";
import { formatUtcShort } from "#shared/time/utc.ts";
import type { OpenConnection } from "../../app/connections/connections.ts";
import { quarantinedFiles, removeDatabase } from "../../store/index.ts";
import { command } from "../command.ts";
import { damageLines, lostSentence } from "../damage.ts";
import { EXIT, Stop, usage } from "../exit.ts";
import { orStop } from "../shell.ts";
import { withProgress } from "../terminal/progress.ts";
import { amount, moment } from "../terminal/table.ts";
import { bytes, visible } from "../terminal/text.ts";
import { refuseFile } from "./cacheMaintenance.ts";

const INTACT = "Everything was read. No damage was found.";
const STOPPED = "Stopped. Completed repairs are kept.";

export const addCheck = command({
  description:
    "Reads the whole cache and lists damaged days. Repairs none; a broken file is moved to quarantine and its intact " +
    "data are copied, as by every command. Exit code 0: intact; 3: damage was found.",
  async run(shell) {
    const { cache } = await shell.connection();
    const findings = await withProgress(shell, (pace) => cache.check(pace), "Stopped.");
    const { damages, structure } = findings;
    const rebuilt = shell.takeRebuilt();
    shell.output.document("cache check", { ...findings, rebuilt });
    const isIntact = damages.length === 0 && structure === null;
    if (isIntact && rebuilt === null) return shell.output.print(INTACT);
    if (isIntact) {
      shell.output.print("The file was broken and has been rebuilt. The new file is intact.");
      return EXIT.incomplete;
    }
    shell.output.print([
      ...damageLines(cache, damages),
      ...(structure === null ? [] : [`The file itself is broken: ${visible(structure.replaceAll(/\s+/g, " "))}.`]),
      `“${shell.suggest("cache repair")}” keeps everything else.`,
    ]);
    return EXIT.incomplete;
  },
});

export const addRepair = command({
  description:
    "Removes damaged days and keeps all others. The next fetch downloads the removed data again. Exit code 0: the " +
    "cache is intact now.",
  async run(shell) {
    const connection = await shell.connection();
    const { cacheMaintenance } = await shell.app();
    const { findings, rebuilt: own } = orStop(
      await withProgress(shell, (pace) => cacheMaintenance.repair(connection, pace), STOPPED),
    );
    const rebuilt = own ?? shell.takeRebuilt();
    shell.output.document("cache repair", { ...findings, rebuilt });
    const damages = findings?.damages ?? [];
    if (damages.length === 0 && rebuilt === null) return shell.output.print(INTACT);
    shell.output.print([
      ...damageLines(connection.cache, damages),
      rebuilt === null
        ? "The cache is intact now. The next fetch downloads the removed data again."
        : `The file was broken. A new one has ${many(rebuilt.rows, "intact row")}; the old one was moved to quarantine as ${rebuilt.quarantinedPath}.`,
    ]);
  },
});

const addList = command({
  description: "Lists the files, the newest first.",
  async run(shell) {
    const { cache } = await shell.connection();
    const files = quarantinedFiles(cache.path);
    shell.output.document("cache quarantine list", { files });
    shell.output.table(
      files,
      {
        File: (file) => file.name,
        Size: amount((file) => file.bytes, bytes, "bytes"),
        "Since (UTC)": moment((file) => file.atMs, formatUtcShort),
      },
      "No files are in quarantine.",
    );
  },
});

const addAdopt = command({
  description: "Copies intact data that the cache lacks from a file. The file stays until it is deleted.",
  words: { "[file]": "name of the file; optional if there is only one" },
  async run(shell, { file }) {
    const connection = await shell.connection();
    refuseFile(connection);
    const { name } = chosen(connection, file);
    const { cacheMaintenance } = await shell.app();
    const { rows, lostRows } = orStop(
      await withProgress(shell, (pace) => cacheMaintenance.adoptQuarantined(connection, name, pace), STOPPED),
    );
    shell.output.document("cache quarantine adopt", { file: name, rows, lostRows });
    const rest = lostRows === 0 ? `${visible(name)} can be deleted now.` : lostSentence(lostRows);
    shell.output.print(`${many(rows, "row")} copied. ${rest}`);
  },
});

const addDelete = command({
  description: "Deletes a file, or all of them.",
  words: { "[file]": "name of the file", "--all": "all of them" },
  async run(shell, { file: word, all }) {
    const connection = await shell.connection();
    if (word === undefined && !all) throw usage("Name the file to delete, or use --all.");
    const files = all ? quarantinedFiles(connection.cache.path) : [chosen(connection, word)];
    for (const { path } of files) if (!removeDatabase(path)) throw new Stop(EXIT.disk, `${path} could not be deleted.`);
    shell.output.document("cache quarantine delete", { deleted: files.map(({ name }) => name) });
    shell.output.print(`Deleted ${many(files.length, "file")}.`);
  },
});

export const addQuarantine = command({
  description: "Lists, adopts and deletes damaged cache files in quarantine.",
  byDefault: "list",
  commands: { list: addList, adopt: addAdopt, delete: addDelete },
});

function chosen({ cache }: OpenConnection, word: string | undefined) {
  const files = quarantinedFiles(cache.path);
  const file = word === undefined ? files[0] : files.find(({ name, path }) => name === word || path === word);
  if (word === undefined && files.length > 1) throw usage(`Choose a file: ${files.map(({ name }) => name).join(", ")}`);
  if (file) return file;
  throw usage(word === undefined ? "No files are in quarantine." : `No file named ${visible(word)} is in quarantine.`);
}
