import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { stationOf } from "../support/station.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { COLUMNS, type ColumnContext, columnsWith } from "#renderer/features/catalogue/columns.ts";
import { detailFields } from "#renderer/features/catalogue/StationDetail.tsx";
import { filterCount, NO_FILTERS, stationFilter } from "#renderer/features/catalogue/filters.ts";
import { orderOf } from "#renderer/features/catalogue/useList.ts";
import { groupRanks, groupsFirst } from "#shared/station/group.ts";
import { fold, searcher, searchTexts } from "#shared/station/search.ts";
import { chosenColumns, VIEW } from "#renderer/features/catalogue/view.ts";
import { actionOfKey, select } from "#renderer/ui/grid/select.ts";

const RANGE = { startMs: 10 * DAY_MS, endMs: 17 * DAY_MS };
const CONTEXT: ColumnContext = { nowMs: 20 * DAY_MS, networkNames: new Map(), shares: new Map([["b", 0.5]]) };

function station({ id, ...part }: Partial<CatalogueStation> & { readonly id: string }): CatalogueStation {
  return stationOf(id, {
    historicDataFromMs: 0,
    countryCode: "FI",
    dataLastUpdatedMs: 19 * DAY_MS,
    networkId: "n1",
    networkCode: "AUR",
    ...part,
  });
}

function passesFilter(part: object, s: CatalogueStation): boolean {
  return stationFilter({ ...NO_FILTERS, ...part }, RANGE, CONTEXT.shares)(s);
}

function hasData(part: object): boolean {
  return passesFilter({ hasDataInRange: true }, station({ id: "a", ...part }));
}

function isSelected(id: string): boolean {
  return stationFilter({ ...NO_FILTERS, isChosen: true }, RANGE, CONTEXT.shares, ["a", "b"])(station({ id }));
}

function cacheFiltersPassing(share: number) {
  return (["some", "complete", "partly", "none"] as const).filter((cached) =>
    stationFilter({ ...NO_FILTERS, cached }, RANGE, new Map([["a", share]]))(station({ id: "a" })),
  );
}

test("sorting by name ignores leading punctuation", () => {
  const names = ["=SUM(Mast 8)", "Blitzstein", "@Mast 10", "Mast 9", "Arroyo", "!"];
  const stations = names.map((displayName, i) => station({ id: String(i), displayName }));
  const order = orderOf(stations, { column: "name", isDescending: false }, CONTEXT).map((i) => names[i]);
  expect(order).toEqual(["!", "Arroyo", "Blitzstein", "Mast 9", "@Mast 10", "=SUM(Mast 8)"]);
});

const SHOWN = ["a", "b", "c", "d"];

function press(key: string, part: object = {}) {
  const at = { focus: 1, rows: SHOWN.length, pageRows: 10 };
  return actionOfKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...part }, at);
}

describe("the search for stations", () => {
  const networks = [
    {
      id: "n1",
      code: "AUR",
      name: "Aurora Nørdic",
      isOwner: true,
      visibility: null,
      isInternal: null,
      createdAtMs: null,
      updatedAtMs: null,
    },
  ];
  const [text = ""] = searchTexts(
    [station({ id: "0b1c2d3e-0000-4000-8000-00000000abcd", displayName: "Jūrasciems", locationAlias: "Łódź Æbele" })],
    networks,
  );

  test.each([
    "juras",
    "JŪRAS",
    "lodz",
    "aebele",
    "nordic aur",
    "jur  aurora",
    "finland juras",
    "0b1c2d3e",
    "{0B1C2D3E-0000-4000-8000-00000000ABCD}",
    "",
  ])("%j finds the station", (query) => {
    expect(searcher(query)(text)).toBe(true);
  });
  test.each(["jurmala", "juras tokyo", "x y", "abcd", "sweden"])("%j does not find the station", (query) => {
    expect(searcher(query)(text)).toBe(false);
  });
  test("finds any name by itself, with or without diacritics", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const [text = ""] = searchTexts([station({ id: "x", displayName: name })], []);
        expect([searcher(name)(text), searcher(fold(name))(text)]).toEqual([true, true]);
      }),
    );
  });
});

describe("station filters", () => {
  test("exclude other stations, and are counted", () => {
    expect(passesFilter({ countries: ["NO"] }, station({ id: "a" }))).toBe(false);
    expect(passesFilter({ countries: ["NO", "FI"], sourceTypes: ["cors"] }, station({ id: "a" }))).toBe(true);
    expect(filterCount({ ...NO_FILTERS, countries: ["NO"], cached: "partly" })).toBe(2);
  });
  test("by data in the range pass stations that start before its end and end after its start", () => {
    expect(hasData({ dataLastUpdatedMs: RANGE.startMs })).toBe(true);
    expect(hasData({ dataLastUpdatedMs: RANGE.startMs - 1 })).toBe(false);
    expect(hasData({ historicDataFromMs: RANGE.endMs })).toBe(false);
    expect(hasData({ dataLastUpdatedMs: null })).toBe(false);
  });
  test("by cached share distinguish some, complete, partly and none", () => {
    expect([cacheFiltersPassing(0), cacheFiltersPassing(0.5), cacheFiltersPassing(1)]).toEqual([
      ["none"],
      ["some", "partly"],
      ["some", "complete"],
    ]);
  });

  test("by selection pass only selected stations", () => {
    expect(["a", "b", "c"].map(isSelected)).toEqual([true, true, false]);
  });
});

describe("the order of stations", () => {
  test("has missing values last in both directions", () => {
    const stations = [
      station({ id: "a", latitudeDeg: null }),
      station({ id: "b", latitudeDeg: 70 }),
      station({ id: "c", latitudeDeg: 60 }),
    ];
    const order = (isDescending: boolean) => orderOf(stations, { column: "latitude", isDescending }, CONTEXT);
    expect(order(false)).toEqual([2, 1, 0]);
    expect(order(true)).toEqual([1, 2, 0]);
  });
  test("compares numbers in names as numbers", () => {
    const stations = ["Mast 10", "mast 9", "Mást 9b"].map((displayName, i) => station({ id: `s${i}`, displayName }));
    expect(orderOf(stations, { column: "name", isDescending: false }, CONTEXT)).toEqual([1, 2, 0]);
  });
  test("contains every station once, by any column and with missing values", () => {
    const maybe = fc.option(fc.integer({ min: -90, max: 90 }), { nil: null });
    const any = fc.record({ displayName: fc.string(), latitudeDeg: maybe, dataLastUpdatedMs: maybe });
    fc.assert(
      fc.property(fc.array(any), fc.constantFrom(...COLUMNS), fc.boolean(), (parts, { id: column }, isDescending) => {
        const stations = parts.map((part, i) => station({ id: `s${i}`, ...part }));
        const order = orderOf(stations, { column, isDescending }, CONTEXT);
        expect(order.toSorted((a, b) => a - b)).toEqual(stations.map((_, i) => i));
      }),
    );
  });
});

function inOrder(ids: string, groups: readonly string[]): string {
  const places = groupRanks(groups.map((of) => ({ stationIds: [...of] })));
  return groupsFirst([...ids], (id) => id, places).join("");
}

describe("sorting groups first", () => {
  test("lists the groups in their order, then the other stations, each in the order of the list", () => {
    expect(inOrder("abcdef", ["fb", "e"])).toBe("bfeacd");
    // A station of two groups is listed in the first.
    expect(inOrder("abc", ["c", "bc"])).toBe("cba");
    expect(inOrder("abc", ["x"])).toBe("abc");
    const same = ["a", "b"];
    expect(groupsFirst(same, (id) => id, groupRanks([]))).toBe(same);
  });
});

describe("the selection of stations", () => {
  const start = { selectedIds: ["a"], anchor: "b", focused: "b" };

  test("is replaced by a click, toggled with Control, and extended with Shift", () => {
    expect(select(start, { kind: "only", index: 2 }, SHOWN).selectedIds).toEqual(["c"]);
    expect(select(start, { kind: "toggle", index: 2 }, SHOWN).selectedIds).toEqual(["a", "c"]);
    expect(select(start, { kind: "toggle", index: 0 }, SHOWN).selectedIds).toEqual([]);
    expect(select(start, { kind: "extend", index: 3, add: false }, SHOWN).selectedIds).toEqual(["b", "c", "d"]);
    expect(select(start, { kind: "extend", index: 3, add: true }, SHOWN).selectedIds).toEqual(["a", "b", "c", "d"]);
    expect(select(start, { kind: "extend", index: 0, add: false }, SHOWN)).toMatchObject({
      selectedIds: ["a", "b"],
      anchor: "b",
    });
  });
  test("does not change with the focus, and “select all” keeps hidden stations selected", () => {
    expect(select(start, { kind: "move", index: 3 }, SHOWN)).toEqual({ selectedIds: ["a"], anchor: "d", focused: "d" });
    expect(select({ ...start, selectedIds: ["z"] }, { kind: "all" }, SHOWN).selectedIds).toEqual(["z", ...SHOWN]);
  });
  test("starts at the clicked station if the anchor is no longer listed", () => {
    expect(select({ ...start, anchor: "gone" }, { kind: "extend", index: 2, add: false }, SHOWN).selectedIds).toEqual([
      "c",
    ]);
  });
  test("has keys: arrows, PageDown and End move, Shift extends, Space toggles, Control+A selects all", () => {
    expect(press("ArrowDown")).toEqual({ kind: "move", index: 2 });
    expect(press("ArrowUp", { shiftKey: true })).toEqual({ kind: "extend", index: 0, add: false });
    expect(press("PageDown")).toEqual({ kind: "move", index: 3 });
    expect(press("End")).toEqual({ kind: "move", index: 3 });
    expect(press(" ")).toEqual({ kind: "toggle", index: 1 });
    expect(press("a", { ctrlKey: true })).toEqual({ kind: "all" });
    expect(press("k")).toBeNull();
  });
});

test("station details explain missing values", () => {
  const fields = detailFields(station({ id: "a", ellipsoidalHeight: 31.5 }), undefined, CONTEXT.nowMs);
  expect(fields.find((f) => f.title === "Position")).toMatchObject({
    text: "–",
    hint: expect.stringContaining("no access to positions"),
  });
  expect(fields.find((f) => f.title === "Height")?.text).toBe("31.50 m above WGS 84 ellipsoid, – above EGM2008 geoid");
  expect(fields.find((f) => f.title === "Last data")?.text).toBe("24 h ago, 1970-01-20 00:00:00 UTC");
});

function shown(ids: readonly string[]): string[] {
  return chosenColumns(columnsWith(CONTEXT), ids).map((c) => c.id);
}

test("the list shows the chosen columns, always with the name", () => {
  expect(shown(VIEW.read(null).columns)).toEqual(["name", "cached"]);
  expect(shown(["rate", "country"])).toEqual(["name", "country", "rate"]);
});
