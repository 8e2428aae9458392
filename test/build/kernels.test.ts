import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { binaryPathOf, compileKernel, kernelSources, sealed } from "../../scripts/kernels.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";

test("there are kernels", () => {
  expect(kernelSources()).not.toStrictEqual([]);
});

// Where it differs: npm run kernels. The compiler takes seconds for each, which the seal saves the gate.
test.each(kernelSources())("what runs is what %s says", async (source) => {
  const path = binaryPathOf(source);
  const { BINARY } = (await import(pathToFileURL(path).href)) as { BINARY: string };
  expect(readFileSync(path, "utf8")).toBe(IS_ENDURANCE ? compileKernel(source) : sealed(source, BINARY));
});
