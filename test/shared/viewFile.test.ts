import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readViewFile, writeViewFile } from "#shared/views/file.ts";
import { type SavedView, savedView } from "#shared/views/view.ts";
import { anyCharacter } from "../support/characters.ts";

const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 });
// Zod drops this key from objects.
const key = text.filter((name) => name !== "__proto__");
const anyView: fc.Arbitrary<SavedView> = fc
  .record({
    name: text.filter((name) => name.trim() === name),
    connectionId: fc.option(fc.uuid()),
    savedAtMs: fc.nat(),
    workspace: fc.record({
      stationIds: fc.array(text, { maxLength: 5 }),
      slots: fc.dictionary(key, fc.nat(30), { noNullPrototype: true }),
      range: fc.tuple(fc.nat(), fc.integer({ min: 1 })).map(([startMs, ms]) => ({ startMs, endMs: startMs + ms })),
      moving: fc.option(fc.record({ start: text, end: text })),
      variables: fc.subarray(["ztd", "ztd_sigma", "pwv", "snr"] as const, { minLength: 1 }),
      intervalSeconds: fc.option(fc.integer({ min: 1, max: 86_400 })),
      raw: fc.boolean(),
      resampled: fc.boolean(),
      showSigma: fc.boolean(),
      view: fc.constantFrom("series", "map", "table"),
      panes: fc
        .dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
        .map((panes) => JSON.parse(JSON.stringify(panes)) as Record<string, unknown>),
    }),
  })
  .filter((view) => savedView.safeParse(view).success);

function errorMessage(content: string): string {
  const result = readViewFile(content);
  if (result.ok) throw new Error("The file was accepted");
  return result.error.message;
}

const GOOD: SavedView = {
  name: "Storm",
  connectionId: "mine",
  savedAtMs: 5,
  workspace: {
    stationIds: ["a"],
    slots: { a: 0 },
    range: { startMs: 0, endMs: 10 },
    moving: null,
    variables: ["ztd"],
    intervalSeconds: null,
    raw: false,
    resampled: false,
    showSigma: true,
    view: "series",
    panes: {},
  },
};

/** The file of a valid view, with parts of its workspace replaced. */
function fileWith(change: Record<string, unknown>): string {
  const file = JSON.parse(writeViewFile([GOOD])) as { views: { workspace: object }[] };
  const [view] = file.views;
  return JSON.stringify({ ...file, views: [{ ...view, workspace: { ...view?.workspace, ...change } }] });
}

describe("a file with views", () => {
  it("round-trips its views, without their connection", () => {
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 1, maxLength: 4 }), (views) => {
        const result = readViewFile(writeViewFile(views));
        expect(result).toEqual({ ok: true, value: views.map((view) => ({ ...view, connectionId: null })) });
      }),
      { numRuns: 60 },
    );
    expect(writeViewFile([GOOD])).not.toContain("mine");
  });

  it("is read with a byte order mark", () => {
    expect(readViewFile(`\ufeff${writeViewFile([GOOD])}`).ok).toBe(true);
  });

  it("is rejected as a whole with a message if any part is invalid", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (content) => {
        expect(errorMessage(content)).toMatch(/^This .*\.$/);
      }),
    );
    expect(errorMessage(writeViewFile([GOOD]).replace('"version": 1', '"version": 2'))).toContain("newer version");
    expect(errorMessage(fileWith({ range: { startMs: 0, endMs: 1e300 } }))).toContain("views.0.workspace.range");
    expect(errorMessage(fileWith({ range: { startMs: 10, endMs: 0 } }))).toContain("nothing was added");
    expect(errorMessage(fileWith({ stationIds: Array.from({ length: 10_001 }, String) }))).toContain("stationIds");
    expect(errorMessage(fileWith({ slots: { a: -1 } }))).toContain("slots");
    expect(errorMessage(fileWith({ panes: { big: "x".repeat(100_001) } }))).toContain("panes");
    expect(errorMessage(fileWith({ variables: ["sql; drop"] }))).toContain("variables");
    expect(errorMessage("x".repeat(20_000_001))).toContain("too large");
  });
});

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}

function many(n: number): string {
  return Array.from({ length: n }, (_, i) => `"k${i}":0`).join();
}

describe("the check for malicious files", () => {
  const good = writeViewFile([GOOD]);
  const inPlace = (of: string, text: string): string => JSON.stringify(JSON.parse(good)).replace(of, text);

  it.each([
    ["deep nesting", inPlace('"panes":{}', `"panes":{"a":${nested(40_000)}}`)],
    ["a file of brackets only", nested(1_000_000)],
    ["too many keys", inPlace('"slots":{', `"slots":{${many(300_000)},`)],
  ])("rejects %s before parsing", (_, text) => {
    expect(errorMessage(text)).toContain("no views of Zenith Desk");
  });

  it("rejects too many slots or panes with a message", () => {
    expect(errorMessage(inPlace('"slots":{', `"slots":{${many(20_000)},`))).toContain("slots");
    expect(errorMessage(inPlace('"panes":{}', `"panes":{${many(300)}}`))).toContain("panes");
  });

  it("keeps a __proto__ key from changing Object.prototype", () => {
    const read = readViewFile(inPlace('"slots":{', '"slots":{"__proto__":{"isPolluted":1},'));
    expect(read.ok && Object.getPrototypeOf(read.value[0]!.workspace.slots)).not.toHaveProperty("isPolluted");
    expect({}).not.toHaveProperty("isPolluted");
  });

  it("does not count brackets in strings as nesting", () => {
    expect(readViewFile(fileWith({ panes: { a: '[\\"['.repeat(1_000) } }))).toMatchObject({ ok: true });
  });
});
