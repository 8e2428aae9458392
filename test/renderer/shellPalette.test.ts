import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "#shared/commands.ts";
import {
  commandItems,
  type Findable,
  findable,
  presetItems,
  rangeItems,
  search,
} from "#renderer/features/palette/items.ts";
import { utcMinutes } from "#renderer/ui/text.ts";
import { movingText, PRESETS } from "#shared/time/typed.ts";

function names(found: readonly Findable<string>[]): string[] {
  return found.map((one) => one.item);
}

const ALL = [
  findable("a", "Drammenvik Gamle Fyr", "Drammenvik Gamle Fyr", ["Drammenvik", "NORDA"]),
  findable("b", "Tyhjäkallio", "Tyhjäkallio", ["Tyhjäkallio", "BMAST"]),
  findable("c", "Mast 001", "Mast 001", ["Kallaste", "BMAST"]),
  findable("d", "Kallio", "Kallio", ["Helsinki", "NORDA"]),
  findable("e", "Outer Kalvik", "Outer Kalvik", ["Oulu", "NORDA"]),
  findable("f", "Refresh the station list", "Refresh the station list", []),
];

describe("the palette", () => {
  it("ranks names that start with the query first, then words, parts, places, and beginnings of words", () => {
    expect(names(search(ALL, "kal", []))).toEqual(["Kallio", "Outer Kalvik", "Tyhjäkallio", "Mast 001"]);
    for (const query of ["dgf", "dramfyr", "dragam"])
      expect(names(search(ALL, query, []))).toEqual(["Drammenvik Gamle Fyr"]);
  });

  it("finds a time range by a date, a period or both ends, and takes no station or command for one", () => {
    const nowMs = Date.UTC(2026, 10, 28, 14);
    const days = (query: string): (readonly [string, string])[] =>
      rangeItems(query, nowMs).flatMap(({ item }) => {
        if (item.kind !== "range") return [];
        const { startMs, endMs } = item.shown.range;
        return [[utcMinutes(startMs), utcMinutes(endMs)] as const];
      });
    expect(days("2026-11-14")).toEqual([["2026-11-14 00:00", "2026-11-15 00:00"]]);
    expect(days("14.11.2026")).toEqual([["2026-11-14 00:00", "2026-11-15 00:00"]]);
    expect(days("2025-11-14 to 2025-11-16")).toEqual([["2025-11-14 00:00", "2025-11-16 00:00"]]);
    for (const query of ["kallio", "export", "hourly", "why missing", "1", ""]) expect(days(query)).toEqual([]);
  });

  it("finds every preset of the time range by its title, as the one that moves with the clock", () => {
    const nowMs = Date.UTC(2026, 10, 28, 14);
    const items = [...commandItems(new Map(COMMANDS.map(({ id }) => [id, () => {}]))), ...presetItems(nowMs)];
    const titles = (query: string): string[] =>
      [...rangeItems(query, nowMs), ...search(items, query, [])].flatMap(({ item }) =>
        item.kind === "command"
          ? item.command.title
          : item.kind === "range" && item.shown.moving
            ? movingText(item.shown.moving)
            : [],
      );
    for (const { title } of PRESETS) expect(titles(title)[0]?.toLowerCase()).toBe(title.toLowerCase());
    expect(titles("month")).toEqual(expect.arrayContaining(["This month", "Last month"]));
    expect(titles("last 24")[0]).toBe("Last 24 hours");
  });

  it("finds commands by common synonyms", () => {
    const items = commandItems(new Map(COMMANDS.map(({ id }) => [id, () => {}])));
    const first = (query: string): string => search(items, query, [])[0]?.key ?? "";
    const SYNONYMS: Readonly<Record<string, string>> = {
      storage: "storage, cache, free space",
      figure: "png, print",
      export: "netcdf, python",
      beside: "beside, compare last year",
      gaps: "why missing",
      animation: "gif",
      fetch: "get",
      hovmoller: "hovm",
      "interval.hour": "hourly",
      "views.share": "share",
      "view.map": "lasso",
    };
    for (const [id, queries] of Object.entries(SYNONYMS))
      for (const query of queries.split(", ")) expect([query, first(query)]).toEqual([query, `command:${id}`]);
    expect(search(items, "print", []).map(({ key }) => key)).toEqual(["command:figure"]);
    for (const query of ["png", "gif", "pdf", "svg"]) expect(first(query)).toMatch(/^command:(figure|animation)$/);
  });

  it("shows commands that cannot run now, with the reason", () => {
    const items = commandItems(
      new Map([["undo", () => {}]]),
      new Map([
        ["figure", "Not here."],
        ["undo", "Never."],
      ]),
    );
    expect(items.map(({ item }) => item)).toEqual([
      expect.objectContaining({ command: expect.objectContaining({ id: "figure" }), reason: "Not here." }),
      expect.objectContaining({ command: expect.objectContaining({ id: "undo" }), reason: null }),
    ]);
  });

  it("matches every word anywhere, ignoring case and diacritics", () => {
    expect(names(search(ALL, "TYHJA bmast", []))).toEqual(["Tyhjäkallio"]);
    expect(search(ALL, "kallio tokyo", [])).toEqual([]);
  });

  it("puts recent items first within a rank, the latest first, and omits none", () => {
    expect(names(search(ALL, "", ["f", "d", "gone"]))).toEqual([
      "Refresh the station list",
      "Kallio",
      "Drammenvik Gamle Fyr",
      "Tyhjäkallio",
      "Mast 001",
      "Outer Kalvik",
    ]);
    // A recent item with a lower rank remains behind.
    expect(names(search(ALL, "kal", ["c"]))[0]).toBe("Kallio");
  });

  it("finds every item by any part of its name, and none twice", () => {
    const part = fc.stringMatching(/^[a-zäøå ]{1,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(part, { maxLength: 20 }), fc.nat(), fc.nat(3), (given, which, from) => {
        const all = given.map((name) => findable(name, name, name, []));
        const name = given[which % Math.max(1, given.length)];
        if (name === undefined) return;
        const found = names(search(all, name.slice(from), []));
        expect(found).toContain(name);
        expect(new Set(found).size).toBe(found.length);
      }),
    );
  });
});
