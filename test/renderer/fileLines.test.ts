import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SeriesWindow } from "#shared/bridge/methods/series.ts";
import type { FileSeries, OpenedFile } from "#shared/file/opened.ts";
import type { KnownStation } from "#shared/service/catalogue.ts";
import {
  fileLines,
  firstSeries,
  lineIdOf,
  MAX_FILE_LINES,
  parseLineId,
  rangeOf,
  shownOf,
  withFileSeries,
  withShown,
} from "#renderer/features/files/fileLines.ts";
import { withNames } from "#renderer/features/files/store.ts";
import { sceneTexts } from "#shared/plot/figure/scene.ts";
import { seriesFigure } from "#shared/plot/figure/seriesFigure.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import { quantityOf } from "#shared/plot/values.ts";
import { anyCharacter } from "../support/characters.ts";

const RANGE = { startMs: 0, endMs: 3_600_000 };

function series(
  id: string,
  options: Partial<Omit<FileSeries, "quantity">> & { readonly name?: string } = {},
): FileSeries {
  const { name = "ztd", ...others } = options;
  const isZtd = name === "ztd";
  return {
    id,
    label: "KIRK",
    stationId: null,
    satellite: null,
    position: null,
    quantity: {
      name,
      longName: null,
      standardName: null,
      unit: isZtd ? "mm" : "K",
      variable: isZtd ? "ztd" : null,
      conversion: null,
    },
    rows: 120,
    range: RANGE,
    timesId: "t",
    ...others,
  };
}

function file(id: string, all: readonly FileSeries[]): OpenedFile {
  return { id, name: `${id}.nc`, format: "netcdf4", bytes: 1, title: null, source: null, notes: [], series: all };
}

function panel(variable: "ztd" | "pwv", stations: readonly string[], hasTimeAxis: boolean): PanelModel {
  return {
    quantity: quantityOf(variable),
    lines: stations.map((stationId) => ({
      stationId,
      name: stationId,
      track: null,
      colour: "--series-1",
      dash: [],
      rejected: null,
    })),
    fromFiles: [],
    gaps: [],
    bounds: null,
    hasTimeAxis,
  };
}

const rows: SeriesWindow = {
  kind: "rows",
  stationId: "x",
  range: RANGE,
  timesMs: Float64Array.of(0, 30_000),
  values: { ztd: Float64Array.of(1, 2) },
};

describe("series of opened files in a plot", () => {
  const opened = file("a", [series("0"), series("1", { name: "t2m" }), series("2", { name: "t2m", label: "METS" })]);
  const shown = shownOf(
    [opened],
    ["0", "1", "2"].map((id) => lineIdOf("a", id)),
  );
  const windows = new Map(shown.map(({ lineId }) => [lineId, rows] as const));

  it("are named once in a figure for each site, whatever their number of quantities", () => {
    const panels = [panel("ztd", ["s1"], false), panel("pwv", ["s1"], true)];
    const models = withFileSeries(panels, shown, windows, { slots: { s1: 0 }, bounds: {} });
    const theme = { colour: () => "#000000", fontFamily: "sans-serif" };
    const page = { width: 800, height: null, theme, hasTitle: true, source: "", legend: "top", nowMs: 0 } as const;
    const texts = sceneTexts(seriesFigure(models, RANGE, { drawn: 1, selected: 1 }).compose(page).shapes);
    expect(texts.filter((text) => /^(s1$|KIRK|METS)/.test(text))).toEqual(["s1", "KIRK · a.nc", "METS · a.nc"]);
  });

  it("are in the panel of their variable, and other quantities in separate panels below", () => {
    const models = withFileSeries([panel("ztd", ["s1"], false), panel("pwv", ["s1"], true)], shown, windows, {
      slots: { s1: 0 },
      bounds: {},
    });
    expect(models.map((m) => [m.quantity.short, m.quantity.unit, m.lines.length, m.fromFiles.length])).toEqual([
      ["ZTD", "mm", 1, 1],
      ["PWV", "mm", 1, 0],
      ["t2m", "K", 0, 2],
    ]);
    expect(models.map((m) => m.hasTimeAxis)).toEqual([false, false, true]);
    expect(models[0]?.fromFiles[0]).toMatchObject({ name: "KIRK · a.nc", track: { kind: "rows" } });
  });

  it("are shown alone if no station is selected", () => {
    const models = withFileSeries([panel("ztd", [], false), panel("pwv", [], true)], shown.slice(0, 1), windows, {
      slots: {},
      bounds: {},
    });
    expect(models.map((m) => m.quantity.key)).toEqual(["ztd"]);
    expect(models[0]?.hasTimeAxis).toBe(true);
  });

  it("are named with their satellite once", () => {
    const of = file("sky", [series("0", { label: "KIRK G05", satellite: "G05" })]);
    const models = withFileSeries([], shownOf([of], [lineIdOf("sky", "0")]), new Map(), { slots: {}, bounds: {} });
    expect(models[0]?.fromFiles[0]?.name).toBe("KIRK G05 · sky.nc");
  });

  it("have the colour of their selected station, otherwise an unused one", () => {
    const two = file("b", [series("0", { stationId: "s2" }), series("1", { stationId: "other" })]);
    const lines = fileLines(shownOf([two], [lineIdOf("b", "0"), lineIdOf("b", "1")]), { s1: 0, s2: 1 });
    expect(lines.map(({ look }) => look.colour)).toEqual(["--series-2", "--series-3"]);
    expect(lines.every(({ look }) => look.dash.length === 4)).toBe(true);
  });

  it("have line ids that round-trip any file and series id", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (fileId, seriesId) => {
        expect(parseLineId(lineIdOf(fileId, seriesId))).toEqual({ fileId, seriesId });
        expect(lineIdOf(fileId, seriesId)).not.toContain("\n");
      }),
    );
  });
});

describe("the initial series of a file", () => {
  it("are its ZTD and PWV, or others if it has neither", () => {
    const mixed = file("c", [series("0", { name: "t2m" }), series("1"), series("2", { range: null })]);
    expect(firstSeries(mixed).map(({ id }) => id)).toEqual(["1"]);
    expect(firstSeries(file("d", [series("0", { name: "t2m" })])).map(({ id }) => id)).toEqual(["0"]);
    expect(firstSeries(file("e", [series("0", { range: null })]))).toEqual([]);
  });

  it("determine the time range in whole seconds", () => {
    const parts = [
      series("0", { range: { startMs: 10.4, endMs: 20.2 } }),
      series("1", { range: { startMs: 5.9, endMs: 7 } }),
    ];
    expect(rangeOf(parts)).toEqual({ startMs: 0, endMs: 1_000 });
    expect(rangeOf([series("0", { range: null })])).toBeNull();
  });
});

function labelsOf(byId: ReadonlyMap<string, KnownStation>, ...all: FileSeries[]): string[] {
  return withNames([file("f", all)], byId)[0]!.series.map((s) => s.label);
}

describe("names of stations in files", () => {
  const known = { id: "u-1", displayName: "Kallio" } as KnownStation;
  it("are from the catalogue for known ids, otherwise from the file", () => {
    const all = [
      series("1", { label: "u-1", stationId: "u-1" }),
      series("2", { label: "u-1 G05", stationId: "u-1", satellite: "G05" }),
      series("3", { label: "KIRK", stationId: "u-1" }),
      series("4", { label: "u-2", stationId: "u-2" }),
      series("5", { label: "ztd" }),
    ];
    expect(labelsOf(new Map([["u-1", known]]), ...all)).toEqual(["Kallio", "Kallio G05", "KIRK", "u-2", "ztd"]);
    expect(labelsOf(new Map([["u-1", { ...known, isWithdrawn: true }]]), all[0]!)).toEqual([
      "Kallio (no longer listed)",
    ]);
    expect(labelsOf(new Map(), ...all)).toEqual(all.map((s) => s.label));
  });
});

it("a series beyond the maximum is left out; it never replaces one that is drawn", () => {
  const drawn = Array.from({ length: MAX_FILE_LINES - 1 }, (_, i) => `${i}`);
  expect(withShown(drawn, ["a"])).toEqual({ shown: [...drawn, "a"], leftOut: 0 });
  expect(withShown(drawn, ["a", "b", "c"])).toEqual({ shown: [...drawn, "a"], leftOut: 2 });
  expect(withShown([...drawn, "a"], ["a", "3"])).toEqual({ shown: [...drawn, "a"], leftOut: 0 });
});
