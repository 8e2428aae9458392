import { globSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Folders and files whose promises the gate proves in a shorter way, and which `npm test -- --all` runs every night. The
 * gate proves each promise where it can break, in one process if possible, and starts each kind of program for one
 * journey; the night starts them for everything else.
 */
const ONLY_IN_ALL: readonly string[] = [
  // The gate has the journeys of users (test/e2e) and the functions of the window (test/renderer).
  "test/views",
  // It has the contract in one process (test/bridge/inProcess.test.ts) and what channels do (channels.test.ts).
  "test/electron/conformance.test.ts",
  "test/web/conformance.test.ts",
  // It has the first minute with an export, a connection, crashes and restarts (start, connect), and commands by keys (test/renderer).
  "test/e2e/export.test.ts",
  "test/e2e/fetch.test.ts",
  "test/e2e/hostile.test.ts",
  "test/e2e/keyboard.test.ts",
  "test/e2e/offline.test.ts",
  "test/e2e/opened.test.ts",
  "test/e2e/slowList.test.ts",
  "test/e2e/windows.test.ts",
  // It has the same journeys over both shells, the security of their pages (e2e/security), and the functions of Electron's main process.
  "test/electron/differences.test.ts",
  "test/electron/files.test.ts",
  "test/electron/mainProcess.test.ts",
  "test/electron/shell.test.ts",
  // It has who may enter (gate), start and end (shell), and the bridge over a socket (e2e).
  "test/web/bounds.test.ts",
  "test/web/browser.test.ts",
  "test/web/outbox.test.ts",
  "test/web/silentCore.test.ts",
  "test/web/sockets.test.ts",
  "test/web/uploads.test.ts",
  // It has the commands as functions, exit codes (refusals), documents of the commands that tests run (program), and kills (interrupt).
  "test/cli/documents.test.ts",
  "test/cli/ends.test.ts",
  "test/cli/everyDocument.test.ts",
  "test/cli/fullOutput.test.ts",
  "test/cli/prompt.test.ts",
  "test/cli/scheduleKill.test.ts",
  "test/cli/scripts.test.ts",
  "test/cli/targets.test.ts",
  // It has two programs that share a data folder (test/app/twoProcesses.test.ts).
  "test/neighbours",
  // It has the reader's process (test/app/guest.test.ts) and changed files within its limits (test/formats/open/mutations.test.ts).
  "test/app/fileHangs.test.ts",
  // It has the cells of a comparison against numpy (comparedCells), a full disk of commands (cli/fullDisk), and a small world (test/service).
  "test/app/comparedTwice.test.ts",
  "test/endurance/diskFull.test.ts",
  "test/service/manyStations.test.ts",
  // It has kills of commands and exports (test/cli/interrupt.test.ts, test/formats/atomic.test.ts), and of schedules (test/app/ledger.test.ts).
  "test/endurance/bigCache.test.ts",
  "test/endurance/kill.test.ts",
  "test/endurance/maintenanceKill.test.ts",
  // It has a service that answers from this world (test/service).
  "test/world",
  // It has tables of other software (test/formats/open/otherSoftware.test.ts), and what pandas wrote again (rewritten.test.ts).
  "test/formats/open/pandas.test.ts",
  // A month of twelve stations; it has the demo in the window (test/e2e/start.test.ts).
  "test/cli/demo.test.ts",
  // It has a download that other programs open (test/export/formats.test.ts, tools.test.ts).
  "test/export/snippets.test.ts",
  "test/export/tableOperations.test.ts",
  "test/formats/netcdfOperations.test.ts",
  // It has the journeys of users over the built program.
  "test/electron/flatpak.test.ts",
  "test/electron/package.test.ts",
  "test/electron/packages.test.ts",
  "test/electron/packed.test.ts",
  "test/build/bench.test.ts",
  "test/build/bundle.test.ts",
  "test/build/twoBuilds.test.ts",
  "test/web/dev.test.ts",
].map((path) => path.replaceAll("/", sep));

/** The test files of the gate, and the number of test files left out. */
export function gateFiles(): { readonly files: readonly string[]; readonly left: number } {
  const all = globSync(join("test", "**", "*.test.ts"));
  const files = all.filter((name) => !ONLY_IN_ALL.some((path) => name === path || name.startsWith(path + sep)));
  return { files, left: all.length - files.length };
}
