import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codeOf, messageOf } from "#shared/fault.ts";

it("messageOf and codeOf accept any thrown value", () => {
  let missing: unknown;
  try {
    readFileSync("/nowhere/at/all");
  } catch (thrown) {
    missing = thrown;
  }
  expect([codeOf(missing), messageOf(missing)]).toEqual(["ENOENT", expect.stringContaining("no such file") as string]);
  const others = [new Error("plain"), "a text", null, undefined, { code: 7 }];
  expect(others.map(codeOf)).toEqual(["", "", "", "", ""]);
  expect(others.slice(0, 4).map(messageOf)).toEqual(["plain", "a text", "null", "undefined"]);
});
