import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tries } from "../support/endurance.ts";
import { openService } from "../support/openService.ts";
import { EVERY_COMMAND, wordsOf } from "./everyCommand.ts";
import { makeHome } from "./program.ts";

/** Commands that print data for programs: a pipe of rows, a script, a path. */
const DATA = [/^resample (?!.*--out)/, /--snippet/, /^completion/, /^help/, /^cache path/, /--print$/];

it("no command prints anything with --quiet, unless it fails or was asked for data", { timeout: 120_000 }, async () => {
  const service = await openService();
  const home = makeHome();
  writeFileSync(join(home.folder, "a.csv"), "station,time,ztd_mm\nTorsvika,2026-10-05T00:00:00Z,2300\n");
  const env = { XDG_CONFIG_HOME: join(home.folder, "config"), ZENITH_API_KEY: "demo-key" };
  const said: unknown[] = [];
  const add = `connect ${service.url} --name trial`;
  const first = EVERY_COMMAND.slice(0, tries(7, Infinity));
  for (const [line, code = 0] of [[add], ...first] as typeof EVERY_COMMAND) {
    const ended = await home.run(["--quiet", ...wordsOf(line)], { env });
    const isData = DATA.some((of) => of.test(line));
    const isSaid = ended.code === code && (ended.stdout !== "") === isData && (ended.stderr !== "") === (code !== 0);
    if (!isSaid) said.push({ line, ...ended });
  }
  expect(said).toEqual([]);
});
