import { readdirSync } from "node:fs";
import { expect, test } from "vitest";

function filesOf(folder: string): string[] {
  return readdirSync(new URL(`../../src/${folder}`, import.meta.url)).toSorted();
}

test("the handlers of the methods in a file are in the file of the same name in the core", () => {
  const methods = filesOf("shared/bridge/methods").filter((name) => name !== "schemas.ts");
  const common = ["core.ts", "handlers.ts", "serve.ts"];
  expect(filesOf("main/bridge").filter((name) => !common.includes(name))).toEqual(methods);
});
