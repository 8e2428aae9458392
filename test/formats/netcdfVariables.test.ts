import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import type { NetcdfVariable } from "#formats/netcdf/read.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { generatedPart } from "./operations.ts";
import { opened } from "./readBack.ts";
import { type PlainSource, regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { mustSucceed, scratchFolder } from "./tools.ts";
import { STANDARD_NAMES } from "./standardNames.ts";

// Compares the variables and attributes of written files with docs/files.md and the CF table.

const folder = scratchFolder();
const series: PlainSource = {
  stations: [station(0, { displayName: "Heinäniemi" }), station(1, { heightReference: "EGM2008" })],
  variables: ["ztd", "ztd_sigma", "pwv"],
  rows: [regularRows(3, 1), regularRows(3, 2)],
};
const sky = { prn: "G01", el: "10", az: "20", snr: "45" };

interface Described {
  readonly kind: string;
  readonly variables: readonly NetcdfVariable[];
  readonly attributes: readonly string[];
}

const FILES: readonly Described[] = [];

function path(kind: string): string {
  return join(folder, `${kind}.nc`);
}

beforeAll(async () => {
  const write = async (kind: string, plain: PlainSource, layout: "grid" | "ragged") =>
    mustSucceed(await writeTimeSeriesNetcdf(path(kind), sourceOf(plain), { layout }));
  await write("grid", series, "grid");
  await write("intervals", { ...series, intervalSeconds: 30 }, "grid");
  await write("ragged", series, "ragged");
  const satellites = {
    ...series,
    variables: ["prn", "el", "az", "snr"],
    rows: [[{ timeMs: START_MS, values: sky }], []],
  };
  mustSucceed(await writeSatelliteNetcdf(path("satellites"), sourceOf(satellites as PlainSource)));
  for (const kind of ["grid", "intervals", "ragged", "satellites"]) {
    const file = await opened(path(kind));
    (FILES as Described[]).push({ kind, variables: file.variables, attributes: Object.keys(file.attributes) });
    file.close();
  }
});

function cellsOf({ name, type, dimensions, attributes }: NetcdfVariable): string {
  const shape = dimensions.map((d) => (d.endsWith("_strlen") ? "…" : d)).join(", ");
  const texts = ["units", "standard_name", "long_name"].map((a) => String(attributes[a] ?? ""));
  return `| \`${name}\` | \`${type}(${shape})\` | ${texts.join(" | ")} |`.replaceAll(/ {2,}/g, " ");
}

it("docs/files.md lists every variable with its dimensions, unit and meaning", () => {
  const kinds = new Map<string, string[]>();
  for (const { kind, variables } of FILES)
    for (const variable of variables) {
      const cells = cellsOf(variable);
      kinds.set(cells, [...(kinds.get(cells) ?? []), kind]);
    }
  const lines = [
    "| variable | type | unit | standard name | meaning | in |",
    "|---|---|---|---|---|---|",
    ...[...kinds].map(([cells, found]) => `${cells} ${found.length === FILES.length ? "all" : found.join(", ")} |`),
    "",
    `Attributes of a file: ${[...new Set(FILES.flatMap((f) => f.attributes))].map((name) => `\`${name}\``).join(", ")}.`,
  ];
  expect(generatedPart("variables of NetCDF", lines)).toBe(lines.join("\n"));
});

function textOf(name: string): string {
  return readFileSync(join(import.meta.dirname, "../..", name), "utf8");
}

it("the layout version of a file is the newest in docs/files.md, and is in the changelog", async () => {
  const file = await opened(path("grid"));
  const version = String(file.attributes["layout_version"]);
  file.close();
  const [newest] = /^\| \d\S+ (?=\|)/m.exec(textOf("docs/files.md")) ?? [];
  expect(newest).toBe(`| ${version} `);
  expect(textOf("CHANGELOG.md")).toContain(`\`layout_version = "${version}"\``);
});

/** Units that convert to the canonical units of the CF table. */
const CANONICAL_UNITS: Readonly<Record<string, string>> = {
  mm: "m",
  degrees_north: "degree_north",
  degrees_east: "degree_east",
  "seconds since 1970-01-01T00:00:00Z": "s",
};

it("standard names are in the CF table and have units that can be converted to its units", () => {
  const used = FILES.flatMap(({ variables }) => variables).filter((v) => "standard_name" in v.attributes);
  expect(new Set(used.map((v) => v.attributes["standard_name"]))).toEqual(new Set(Object.keys(STANDARD_NAMES)));
  for (const { attributes } of used) {
    const units = String(attributes["units"]);
    const canonical = STANDARD_NAMES[attributes["standard_name"] as keyof typeof STANDARD_NAMES];
    expect([attributes["standard_name"], CANONICAL_UNITS[units] ?? units]).toEqual([
      attributes["standard_name"],
      canonical,
    ]);
  }
});
