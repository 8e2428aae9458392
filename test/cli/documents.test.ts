import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonSchemas, SCHEMA_FOLDER } from "../../scripts/jsonSchemas.ts";
import { type RunningService, startService } from "#service/index.ts";
import { EVERY_COMMAND, wordsOf } from "./everyCommand.ts";
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
