import { expect, it } from "vitest";
import { FIGURE_COLOURS } from "#shared/plot/figure/themes.ts";
import { hexToLab } from "#renderer/map/oklab.ts";
import * as workspace from "#renderer/stores/workspace.ts";

const choose = (...ids: string[]): Readonly<Record<string, number>> => {
  workspace.selectStations(ids);
  return workspace.useWorkspace.getState().slots;
};

it("a station selected again has its previous colour, unless another station has it", () => {
  expect(choose("a", "b", "c")).toEqual({ a: 0, b: 1, c: 2 });
  expect(choose("c")).toEqual({ c: 2 });
  expect(choose("c", "new")).toEqual({ c: 2, new: 0 });
  expect(choose("b", "a", "c", "new")).toEqual({ a: 3, b: 1, c: 2, new: 0 });
  expect(choose()).toEqual({});
  expect(choose("other", "c")).toEqual({ other: 0, c: 2 });
});

it("a few stations have different colours, also after many were selected", () => {
  expect(choose("kept", "other")).toMatchObject({ other: 0 });
  const many = Array.from({ length: 30 }, (_, i) => `station ${i}`);
  choose(...many);
  const back = choose(...many.slice(3), "kept");
  expect(back["kept"]).not.toBe(0);
  choose();
  const few = choose("kept", "station 9", "station 17", "station 25");
  expect(new Set(Object.values(few).map((slot) => slot % 8)).size).toBe(4);
  // Many stations selected again have their previous colours.
  choose();
  const first = choose(...many);
  choose("station 7");
  expect(choose(...many)).toEqual(first);
});

it("the colours of any two stations differ clearly, in both themes", () => {
  for (const colours of Object.values(FIGURE_COLOURS)) {
    const labs = Object.entries(colours).flatMap(([token, hex]) =>
      token.startsWith("--series") ? [hexToLab(hex)] : [],
    );
    expect(labs).toHaveLength(8);
    const distances = labs.flatMap((a, i) => labs.slice(i + 1).map((b) => Math.hypot(...a.map((v, k) => v - b[k]!))));
    // Two blues of 0.06 were told apart by nobody.
    expect(Math.min(...distances)).toBeGreaterThan(0.1);
  }
});
