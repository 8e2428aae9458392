import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { RULES } from "./rules.ts";

it("rules: every rule of the specification has a test with its name", async () => {
  const folder = new URL(".", import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".test.ts") && !name.startsWith("rules."));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  const all = texts.join("\n");
  const untested = Object.keys(RULES).filter((rule) => !['"', "`"].some((quote) => all.includes(`${quote}${rule}`)));
  expect(untested).toEqual([]);
});
