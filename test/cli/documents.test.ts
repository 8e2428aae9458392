import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonSchemas, SCHEMA_FOLDER } from "../../scripts/jsonSchemas.ts";

it("the schemas are those of the types in the code", { timeout: 240_000 }, () => {
  const schemas = jsonSchemas();
  expect(readdirSync(SCHEMA_FOLDER).toSorted()).toEqual([...schemas.keys()].toSorted());
  for (const [name, schema] of schemas) {
    const written: unknown = JSON.parse(readFileSync(join(SCHEMA_FOLDER, name), "utf8"));
    expect({ name, schema: written }).toEqual({ name, schema: JSON.parse(JSON.stringify(schema)) as unknown });
  }
});
