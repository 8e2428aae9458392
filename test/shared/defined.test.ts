import { expect, it } from "vitest";
import { defined } from "#shared/defined.ts";

it("gives what is there, also where it is empty, and throws where nothing is", () => {
  expect([defined(0), defined(""), defined(false)]).toEqual([0, "", false]);
  expect(() => defined(new Map<string, number>().get("a"))).toThrow("missing");
  expect(() => defined(null)).toThrow("missing");
});
