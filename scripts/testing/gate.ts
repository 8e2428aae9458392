import { globSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * Folders and files whose promises the gate proves in a shorter way, and which `npm test -- --all` runs every night: the
 * window in every detail, kills in the middle of large work, the contract of the bridge over every transport, every
 * operation of other programs on every format, packing and installing, and the tools of developers.
 */
const ONLY_IN_ALL: readonly string[] = [
  // The gate has the journeys of users (test/e2e) and the functions of the window (test/renderer).
  "test/views",
  // It has the contract in one process (test/bridge/inProcess.test.ts) and what channels do (channels.test.ts).
  "test/bridge/sockets.test.ts",
  "test/bridge/threads.test.ts",
  "test/electron/conformance.test.ts",
  "test/web/conformance.test.ts",
  // It has the first minute, a connection, keys, exports and restarts (start, connect, keyboard, export, lives).
  "test/e2e/fetch.test.ts",
  "test/e2e/hostile.test.ts",
  "test/e2e/offline.test.ts",
  "test/e2e/opened.test.ts",
  "test/e2e/windows.test.ts",
  // It has kills of commands, schedules and exports (test/cli/interrupt.test.ts, scheduleKill.test.ts, test/formats/atomic.test.ts).
  "test/endurance/bigCache.test.ts",
  "test/endurance/kill.test.ts",
  "test/endurance/maintenanceKill.test.ts",
  // A month of twelve stations; it has the demo in the window (test/e2e/start.test.ts).
  "test/cli/demo.test.ts",
  // It has a download that other programs open (test/export/formats.test.ts, tools.test.ts).
  "test/export/snippets.test.ts",
  "test/export/tableOperations.test.ts",
  "test/formats/netcdfOperations.test.ts",
  // It has the configuration of the packages (test/electron/package.test.ts) and the bundle (test/build/bundle.test.ts).
  "test/electron/flatpak.test.ts",
  "test/electron/packages.test.ts",
  "test/electron/packed.test.ts",
  "test/build/bench.test.ts",
  "test/web/dev.test.ts",
].map((path) => path.replaceAll("/", sep));

/** The test files of the gate, and the number of those left out. */
export function gateFiles(): { readonly files: readonly string[]; readonly left: number } {
  const all = globSync(join("test", "**", "*.test.ts"));
  const files = all.filter((name) => !ONLY_IN_ALL.some((path) => name === path || name.startsWith(path + sep)));
  return { files, left: all.length - files.length };
}
