import { expect, it } from "vitest";
import { defined } from "#shared/defined.ts";

it("defined returns its argument, also if it is 0, empty or false, and throws for undefined and null", () => {
  expect([defined(0), defined(""), defined(false)]).toEqual([0, "", false]);
  expect(() => defined(new Map<string, number>().get("a"))).toThrow("missing");
  expect(() => defined(null)).toThrow("missing");
});
