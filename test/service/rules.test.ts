import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Sections that describe the program's view of the service, and ask nothing of it. */
const WITHOUT_RULES = ["3", "6"];

const own = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

it("every section of the specification has tests whose names begin with its number", () => {
  const tests = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".test.ts"));
  const names = tests.flatMap((name) => [...own(name).matchAll(/["`](\d[\d.]*)[ :]/g)].map(([, number]) => number!));
  const sections = [...own("../../docs/specification.md").matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map(([, n]) => n!);
  const leaves = sections.filter((one) => !sections.some((other) => other.startsWith(`${one}.`)));
  const untested = leaves.filter((one) => !names.some((name) => name === one || name.startsWith(`${one}.`)));
  expect(untested).toEqual(WITHOUT_RULES);
  expect(leaves.length).toBeGreaterThan(12);
});
