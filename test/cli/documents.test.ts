import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { jsonSchemas, SCHEMA_FOLDER } from "../../scripts/jsonSchemas.ts";
import { expectLine } from "./jsonForms.ts";
import { makeHome } from "./program.ts";

const DAY = ["--day", "2026-10-05"];

describe("with --json", () => {
  const home = makeHome();
  afterAll(() => home.remove());

  it("each line on stderr has a kind, also of errors", async () => {
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
