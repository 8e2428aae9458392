import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import type { NetcdfFile, NetcdfVariable } from "#formats/netcdf/read.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { opened } from "./readBack.ts";
import { type PlainSource, regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { gateShare, IS_ENDURANCE } from "../support/endurance.ts";
import { OWN_PYTHON } from "./python.ts";
import { mustSucceed, scratchFolder } from "./tools.ts";
import { STANDARD_NAMES } from "./standardNames.ts";

// Checks files of every type by the rules of the CF conventions (1.8) and their conformance document.

const folder = scratchFolder();
const VARIABLES = ["ztd", "ztd_sigma", "pwv"] as const;
const mixed = [station(0, { locationAlias: "Kokar" }), station(1, { heightReference: "EGM2008" })];
const series: PlainSource = { stations: mixed, variables: VARIABLES, rows: [regularRows(40, 1), regularRows(9, 2)] };
const KINDS: Readonly<Record<string, PlainSource>> = {
  points: series,
  intervals: { ...series, rows: [regularRows(40, 1, 900_000), []], intervalSeconds: 900 },
  rates: { ...series, rows: [regularRows(40, 1, 900_000), regularRows(90, 2)] },
  unplaced: {
    ...series,
    stations: [station(0, { latitudeDeg: null, longitudeDeg: null, height: null }), station(1)],
    raw: true,
  },
  empty: { ...series, rows: [[], []] },
};
const sky = { prn: "G01,R05", el: "10.5,", az: "20,359.9", snr: "45/40,44" };
const satellites: PlainSource = {
  ...series,
  variables: ["prn", "el", "az", "snr"],
  rows: [[{ timeMs: START_MS, values: sky }], []],
};

const FILES = [
  ...Object.keys(KINDS).flatMap((kind) =>
    (["netcdf4", "netcdf3"] as const).flatMap((container) =>
      (["grid", "ragged"] as const).map((layout) => ({
        name: `${kind}-${container}-${layout}`,
        kind,
        container,
        layout,
      })),
    ),
  ),
  ...(["netcdf4", "netcdf3"] as const).map((container) => ({
    name: `satellites-${container}`,
    kind: "satellites",
    container,
    layout: "ragged" as const,
  })),
];

function pathOf(name: string): string {
  return join(folder, `${name}.nc`);
}

beforeAll(async () => {
  for (const { name, kind, container, layout } of FILES) {
    const plain = KINDS[kind];
    mustSucceed<unknown>(
      plain === undefined
        ? await writeSatelliteNetcdf(pathOf(name), sourceOf(satellites), { container })
        : await writeTimeSeriesNetcdf(pathOf(name), sourceOf(plain), { container, layout }),
    );
  }
});

const words = (value: unknown): string[] => (typeof value === "string" ? value.split(" ") : []);
const isText = ({ type }: NetcdfVariable): boolean => type === "char" || type === "string";

/** The violations of a variable, each with its section of the conventions. */
function violationsOf(file: NetcdfFile, variable: NetcdfVariable): string[] {
  const { name, dimensions, attributes: own } = variable;
  const named = (other: string): NetcdfVariable | undefined => file.variable(other);
  const isWithin = (other: NetcdfVariable): boolean =>
    other.dimensions.every((d) => dimensions.includes(d) || d.endsWith("_strlen"));
  const isRagged = file.dimensions.some((d) => d.name === "obs");
  const rule = (text: string, isKept: boolean): string[] => (isKept ? [] : [`${name}: ${text}`]);
  const units = own["units"];
  return [
    ...rule("2.3: a name of letters, digits and underscores", /^[A-Za-z]\w*$/.test(name)),
    ...rule("2.4: time before the other dimensions", dimensions.indexOf("time") <= 0),
    ...rule("2.5.1: no missing values in a coordinate variable", !(dimensions[0] === name && "_FillValue" in own)),
    ...rule("2.5.1: a fill value that is a number", typeof (own["_FillValue"] ?? 0) === "number"),
    ...rule("3.1: units that are a text", units === undefined ? !("standard_name" in own) : typeof units === "string"),
    ...rule("3.2: a long name or a standard name", name === "crs" || name === "time_bnds" || "long_name" in own),
    ...rule(
      "3.4: ancillary variables of the same shape",
      words(own["ancillary_variables"]).every((v) => String(named(v)?.dimensions) === String(dimensions)),
    ),
    ...rule(
      "5: auxiliary coordinates that exist, with dimensions of the variable or of its series",
      words(own["coordinates"]).every((v) => {
        const other = named(v);
        return other !== undefined && (isWithin(other) || (isRagged && other.dimensions[0] !== "obs"));
      }),
    ),
    ...rule(
      "5: no coordinate variable among the auxiliary coordinates",
      !words(own["coordinates"]).some((v) => dimensions.includes(v)),
    ),
    ...rule(
      "5.6: a reference system that exists",
      !("grid_mapping" in own) ||
        typeof named(String(own["grid_mapping"]))?.attributes["grid_mapping_name"] === "string",
    ),
    ...rule(
      "7.1: bounds with two values per coordinate value",
      !("bounds" in own) || String(named(String(own["bounds"]))?.dimensions) === String([...dimensions, "nv"]),
    ),
    ...rule(
      "7.3: cell methods of a dimension or of time",
      /^(time: (point|mean))?$/.test(String(own["cell_methods"] ?? "")),
    ),
    ...rule(
      "9.3: numbers of observations as integers, one for each series",
      !("sample_dimension" in own) || (variable.type === "int" && own["sample_dimension"] === "obs"),
    ),
    ...rule("9.5: a role only for the identifier of a series", !("cf_role" in own) || isText(variable)),
  ];
}

describe("the CF conventions", () => {
  it.each(FILES)("are met by $name", async ({ name, layout, kind }) => {
    const file = await opened(pathOf(name));
    expect(file.attributes["Conventions"]).toContain("CF-1.8");
    expect(file.attributes["featureType"]).toBe("timeSeries");
    expect(file.variables.flatMap((variable) => violationsOf(file, variable))).toEqual([]);
    expect(file.variables.filter((v) => v.attributes["cf_role"] === "timeseries_id")).toHaveLength(1);
    expect(file.variables.filter((v) => v.attributes["sample_dimension"] === "obs")).toHaveLength(
      layout === "ragged" ? 1 : 0,
    );
    const time = file.variable("time")!;
    expect(time.attributes).toMatchObject({ units: "seconds since 1970-01-01T00:00:00Z", calendar: "standard" });
    const times = [...(file.read("time") as Float64Array)];
    const inOrder = layout === "grid" ? times.toSorted((a, b) => a - b) : times;
    expect(times).toEqual(inOrder);
    expect("bounds" in time.attributes).toBe(kind === "intervals");
    file.close();
  });

  it("are met according to cf-checker", { timeout: 240_000 }, (context) => {
    const pythons = [process.env["ZENITH_PYTHON"] ?? "", OWN_PYTHON];
    const own = pythons.map((python) => join(dirname(python), "cfchecks")).find((path) => existsSync(path));
    // It would download these tables. Ours have the names that the files use, which another test compares.
    const names = Object.entries(STANDARD_NAMES).map(
      ([name, units]) => `<entry id="${name}"><canonical_units>${units}</canonical_units></entry>`,
    );
    const tables = [
      "-s",
      tableOf("names.xml", names),
      "-a",
      tableOf("areas.xml", []),
      "-r",
      tableOf("regions.xml", []),
    ];
    // It starts a process for each file, because it counts attributes of earlier ones too.
    const short = ["points-netcdf4-grid", "intervals-netcdf3-grid", "rates-netcdf4-ragged", "satellites-netcdf4"];
    const some = gateShare(short);
    for (const { name } of FILES.filter((file) => IS_ENDURANCE || some.includes(file.name))) {
      const done = spawnSync(own ?? "cfchecks", [...tables, pathOf(name)], { encoding: "utf8" });
      if (done.error) return context.skip("cfchecks is not installed: .ci/run installs it where PyPI can be reached");
      const lines = `${done.stdout}\n${done.stderr}`.split("\n");
      const faults = lines.filter((line) => /^(FATAL|ERROR|WARN):/.test(line));
      expect([name, lines.includes("ERRORS detected: 0"), faults]).toEqual([name, true, []]);
    }
  });
});

/** Writes a table as the CF conventions publish them. */
function tableOf(name: string, entries: readonly string[]): string {
  const path = join(folder, name);
  const head = "<version_number>1</version_number><last_modified/><date/>";
  writeFileSync(path, `<table>${head}${entries.join("")}</table>`);
  return path;
}

describe("coverage attributes (ACDD-1.3)", () => {
  const [first, other] = [regularRows(9, 1, 900_000), regularRows(9, 2)];
  const here = station(0);
  const apart = station(1, { latitudeDeg: 61, longitudeDeg: 21 });
  const geoid = { heightReference: "EGM2008" } as const;
  it.each([
    ["one station", [here], [first], { resolution: "PT15M", bounds: "POINT (60 20.5)", crs: undefined }],
    ["a line of stations", mixed, [first, first], { resolution: "PT15M", bounds: "LINESTRING (60 20.5, 60.001 20.5)" }],
    [
      "stations of two rates over an area",
      [here, apart],
      [first, other],
      { resolution: undefined, bounds: "POLYGON ((60 20.5, 60 21, 61 21, 61 20.5, 60 20.5))" },
    ],
    ["heights above the geoid", [station(0, geoid)], [first], { lowest: 50.25, crs: "EPSG:3855" }],
    ["heights above two surfaces", mixed, [first, []], { lowest: undefined, crs: undefined }],
  ])("describe %s", async (_, stations, rows, expected) => {
    const path = pathOf("covered");
    mustSucceed(
      await writeTimeSeriesNetcdf(path, sourceOf({ stations, variables: ["ztd"], rows }), { layout: "grid" }),
    );
    const file = await opened(path);
    const found = {
      resolution: file.attributes["time_coverage_resolution"],
      bounds: file.attributes["geospatial_bounds"],
      lowest: file.attributes["geospatial_vertical_min"],
      crs: file.attributes["geospatial_bounds_vertical_crs"],
    };
    file.close();
    expect(found).toMatchObject(expected);
  });
});
