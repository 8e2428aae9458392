import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { binaryPathOf, compileKernel, kernelSources } from "../../scripts/kernels.ts";

test("there are kernels", () => {
  expect(kernelSources()).not.toStrictEqual([]);
});

test.each(kernelSources())("what runs is what %s says", (source) => {
  // Where it differs: npm run kernels.
  expect(readFileSync(binaryPathOf(source), "utf8")).toBe(compileKernel(source));
});
