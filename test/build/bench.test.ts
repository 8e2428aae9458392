import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, vi } from "vitest";
import { chromiumMissing } from "../e2e/harness/chromium.ts";
import { builtApp } from "../support/build.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { itUnless } from "../support/needs.ts";

// A busy computer says nothing about speed: `npm run bench` judges that. Here, each group has to run to its end.

vi.setConfig({ testTimeout: IS_ENDURANCE ? 1_200_000 : 240_000 });

const RUN = join(import.meta.dirname, "..", "..", "scripts", "run.mjs");

itUnless(chromiumMissing(), "the groups of the benchmark run, in the gate that of the window", async () => {
  builtApp();
  const only = IS_ENDURANCE ? [] : ["--only", "desktop"];
  // Rejects with the output if a group fails.
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, "bench", "--quick", ...only]);
  expect(stdout).toContain("desktop: cold start to usable");
});
