import type { Page } from "playwright-core";
import { beforeEach } from "vitest";
import { openStandin, type Standin, type StandinOptions, standinMissing } from "../electron-standin/driver.ts";
import { atEnd } from "../support/atEnd.ts";
import { scratchFolder } from "../support/folder.ts";
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
  beforeEach((context) => {
    context.skip(missing !== null, missing ?? "");
    folder = scratchFolder();
  });
  const openOne: Starts["open"] = async (options = {}) => {
    const standin = await openStandin({ main: await desktopMain(), dataFolder: folder, ...options });
    atEnd(() => standin.kill());
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
