import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SCHEMA_FOLDER } from "../../scripts/jsonSchemas.ts";
import { openService } from "../support/openService.ts";
import { EVERY_COMMAND, wordsOf } from "./everyCommand.ts";
import { makeHome } from "./program.ts";

it("a document of --json of every command has the form of its schema", { timeout: 240_000 }, async () => {
  const service = await openService();
  const home = makeHome();
  writeFileSync(join(home.folder, "a.csv"), "station,time,ztd_mm\nTorsvika,2026-10-05T00:00:00Z,2300\n");
  const seen = new Set(["stderr"]);
  /** Runs a command; `home.json` compares what it prints with the schema. */
  const run = async (line: string, code = 0, env: Record<string, string> = {}): Promise<void> => {
    const own = { XDG_CONFIG_HOME: join(home.folder, "config"), ...env };
    const { document } = await home.json<{ document: string }>(wordsOf(line), code, { env: own });
    seen.add(document.replaceAll(" ", "-"));
  };
  await run(`connect ${service.url} --name trial`, 0, { ZENITH_API_KEY: "demo-key" });
  for (const [line, code] of EVERY_COMMAND) await run(line, code);
  // These serve until they are stopped, need damage or a saved export of the window, or fetch a month.
  const others = ["service", "web", "demo", "cache-quarantine-adopt", "exports-remove"];
  expect([...seen, ...others].toSorted()).toEqual(
    readdirSync(SCHEMA_FOLDER)
      .map((name) => name.slice(0, -5))
      .toSorted(),
  );
});
