import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { binaryPathOf, compileKernel, kernelSources, sealed } from "../../scripts/kernels.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";

test("kernels are found", () => {
  expect(kernelSources()).not.toStrictEqual([]);
});

// If it differs: npm run kernels. The compiler takes seconds per kernel, so the gate only compares the seal.
test.each(kernelSources())("the binary of %s is up to date", async (source) => {
  const path = binaryPathOf(source);
  const { BINARY } = (await import(pathToFileURL(path).href)) as { BINARY: string };
  expect(readFileSync(path, "utf8")).toBe(IS_ENDURANCE ? compileKernel(source) : sealed(source, BINARY));
});
