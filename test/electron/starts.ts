import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach } from "vitest";
import { openStandin, type Standin, type StandinOptions, standinMissing } from "../electron-standin/driver.ts";
import { desktopMain } from "../support/desktopProgram.ts";

export interface Starts {
  /** The data folder of the current test. */
  readonly folder: string;
  /** Starts the program; it is killed at the end of the test. */
  open(options?: Partial<StandinOptions>): Promise<Standin>;
  /** The same, with the page of its window. */
  start(options?: Partial<StandinOptions>): Promise<{ readonly standin: Standin; readonly page: Page }>;
}

/** For the tests of a file: the built program under the stand-in, in a data folder of each test. */
export function standinForEachTest(): Starts {
  const missing = standinMissing();
  let folder = "";
  const open: Standin[] = [];
  beforeEach((context) => {
    context.skip(missing !== null, missing ?? "");
    folder = mkdtempSync(join(tmpdir(), "zenith-electron-"));
  });
  afterEach(async () => {
    for (const standin of open.splice(0)) await standin.kill();
    if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const openOne: Starts["open"] = async (options = {}) => {
    const standin = await openStandin({ main: await desktopMain(), dataFolder: folder, ...options });
    open.push(standin);
    return standin;
  };
  return {
    get folder() {
      return folder;
    },
    open: openOne,
    async start(options) {
      const standin = await openOne(options);
      return { standin, page: await standin.page() };
    },
  };
}
