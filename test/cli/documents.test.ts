import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonSchemas, SCHEMA_FOLDER } from "../../scripts/jsonSchemas.ts";
import { type RunningService, startService } from "../../src/service/index.ts";
import { expectLine } from "./jsonForms.ts";
import { type Home, makeHome } from "./program.ts";

const DAY = ["--day", "2026-10-05"];

describe("a document of --json", () => {
  let service: RunningService;
  let home: Home;
  beforeAll(async () => {
    service = await startService();
    home = makeHome();
    writeFileSync(join(home.folder, "a.csv"), "station,time,ztd_mm\nTorsvika,2026-10-05T00:00:00Z,2300\n");
  });
  afterAll(async () => {
    await service.close();
    home.remove();
  });

  it("of every command has the form of its schema", { timeout: 240_000 }, async () => {
    const seen = new Set(["stderr"]);
    /** Runs a command; `home.json` compares what it prints with the schema. */
    const run = async (line: string, code = 0, env: Record<string, string> = {}): Promise<void> => {
      const words = line.match(/'[^']*'|\S+/g)!.map((word) => word.replaceAll("'", ""));
      const own = { XDG_CONFIG_HOME: join(home.folder, "config"), ...env };
      const { document } = await home.json<{ document: string }>(words, code, { env: own });
      seen.add(document.replaceAll(" ", "-"));
    };
    await run(`connect ${service.url} --name trial`, 0, { ZENITH_API_KEY: "demo-key" });
    for (const [line, code] of [
      ["connect"],
      ["stations --country FI NO --sort name"],
      ["networks"],
      ["station Torsvika"],
      ["plan Torsvika --day 2026-10-05"],
      ["fetch Torsvika Heinäniemi --day 2026-10-05"],
      ["fetch Torsvika --day 2026-10-05 --vars snr --interval 1h"],
      ["plan Torsvika 'Mast*' --last 7d"],
      ["availability Torsvika --day 2026-10-05"],
      ["gaps Torsvika --day 2026-10-05"],
      ["gaps 'Mast*' --day 2026-10-04"],
      ["nearest all --time 2026-10-05T12:00:00Z"],
      ["resample Torsvika --day 2026-10-05 --interval 6h"],
      ["resample Torsvika --day 2026-10-05 --interval 6h --out r.csv"],
      ["resample Kallio --day 2026-10-04 --interval 6h", 3],
      ["export Torsvika --day 2026-10-05 --out a.nc"],
      ["export Torsvika Heinäniemi --day 2026-10-05 --template '{stations}.{ext}' --per-station --format csv"],
      ["export Kallio --day 2026-10-05 --out kallio.parquet --snippet python", 3],
      ["figure Torsvika --day 2026-10-05 --out a.svg"],
      ["open a.csv a.nc"],
      ["compare cache a.csv --day 2026-10-05 --by hour --reject 5"],
      ["jobs"],
      ["exports"],
      ["group add Two Torsvika Heinäniemi"],
      ["group remove Two Torsvika"],
      ["group"],
      ["watch Torsvika --silent 1000d"],
      ["schedule add Daily Torsvika --daily 06:30 --format csv --figure svg --since 2026-10-05"],
      ["schedule"],
      ["schedule run Daily --due"],
      ["schedule ledger Daily"],
      ["schedule history Daily"],
      ["schedule pause Daily"],
      ["schedule install Daily --print"],
      ["schedule install Daily"],
      ["schedule uninstall Daily"],
      ["schedule remove Daily"],
      ["session views"],
      ["session save a.zenith --stations Torsvika --day 2026-10-05"],
      ["session open a.zenith"],
      ["cache statistics --connection trial"],
      ["cache stations --connection trial"],
      ["cache path --connection trial"],
      ["cache pin Torsvika --connection trial"],
      ["cache limit 10GB --connection trial"],
      ["cache compact --connection trial"],
      ["cache check --connection trial"],
      ["cache repair --connection trial"],
      ["cache quarantine --connection trial"],
      ["cache quarantine delete --all --connection trial"],
      ["cache move moved.db --connection trial"],
      ["cache forget --stations Torsvika --connection trial"],
      ["cache adopt"],
      ["restore"],
      ["log --level error"],
      ["version"],
      ["help guide"],
      ["completion fish"],
      ["connect --remove trial"],
    ] as const)
      await run(line, code);
    // These serve until they are stopped, need damage or a saved export of the window, or fetch a month.
    const others = ["service", "web", "demo", "cache-quarantine-adopt", "exports-remove"];
    expect([...seen, ...others].toSorted()).toEqual(
      readdirSync(SCHEMA_FOLDER)
        .map((name) => name.slice(0, -5))
        .toSorted(),
    );
  });

  it("and each line on stderr has a kind, also of errors", async () => {
    for (const [words, kind] of [
      [["bogus"], "usage"],
      [["fetch", "Kallio", ...DAY, "--connection", "none"], "usage"],
      [["open", "absent.csv"], "disk"],
    ] as const) {
      const { stderr } = await home.run([...words, "--json"]);
      const lines = stderr
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
      for (const line of lines) expectLine(line);
      expect(lines.at(-1)).toMatchObject({ event: "error", kind });
    }
  });
});

it("the schemas are those of the types in the code", { timeout: 240_000 }, () => {
  const schemas = jsonSchemas();
  expect(readdirSync(SCHEMA_FOLDER).toSorted()).toEqual([...schemas.keys()].toSorted());
  for (const [name, schema] of schemas) {
    const written: unknown = JSON.parse(readFileSync(join(SCHEMA_FOLDER, name), "utf8"));
    expect({ name, schema: written }).toEqual({ name, schema: JSON.parse(JSON.stringify(schema)) as unknown });
  }
});
