import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { bothRows, opened } from "./readBack.ts";
import { DAY_MS, plainSource, regularRows, sourceOf, START_MS, station, type PlainSource } from "./sources.ts";
import { scratchFolder } from "./tools.ts";
import { gateCases } from "../support/endurance.ts";
import { valueOf } from "../support/valueOf.ts";

const folder = scratchFolder();
let files = 0;

async function written(plain: PlainSource, layout: "auto" | "grid" | "ragged" = "auto") {
  const path = join(folder, `${files++}.nc`);
  const result = valueOf(await writeTimeSeriesNetcdf(path, sourceOf(plain), { layout }));
  return { ...result, file: await opened(path) };
}

const SCALARS = ["ztd", "ztd_sigma", "pwv"] as const;

/** The rows in files of both layouts, each beside the expected ones. */
async function inBothLayouts(plain: PlainSource) {
  const rows = [];
  for (const layout of ["grid", "ragged"] as const) {
    const { file } = await written(plain, layout);
    rows.push(bothRows(file, plain));
    file.close();
  }
  return rows;
}

describe("values", () => {
  it.each(["grid", "ragged", "auto"] as const)("round-trip exactly: %s", async (layout) => {
    await fc.assert(
      fc.asyncProperty(plainSource(SCALARS), async (plain) => {
        const { file, rows } = await written(plain, layout);
        const fileRows = bothRows(file, plain);
        expect(fileRows.found).toStrictEqual(fileRows.expected);
        file.close();
        expect(rows).toBe(plain.rows.flat().length);
      }),
      { numRuns: gateCases(25) },
    );
  });

  it("round-trip through several chunks, with different cadences and gaps", async () => {
    const plain: PlainSource = {
      stations: [0, 1, 2, 3].map((i) => station(i)),
      variables: SCALARS,
      rows: [
        regularRows(40_000, 1),
        regularRows(22_000, 2).filter((_, i) => i < 9_000 || i > 21_100),
        [],
        regularRows(18_000, 3, 60_000),
      ],
      blockRows: 2_880,
    };
    for (const { found, expected } of await inBothLayouts(plain)) expect(found).toStrictEqual(expected);
  });

  it("of satellites round-trip exactly as texts", async () => {
    const plain: PlainSource = {
      stations: [station(0), station(1)],
      variables: ["ztd", "prn", "snr"],
      rows: [
        [
          { timeMs: START_MS, values: { ztd: 2400.5, prn: "G01,R05", snr: "45.1/40.0,44.0/-" } },
          { timeMs: START_MS + 30_000, values: { ztd: 2400.6, prn: null, snr: " ä,\t東" } },
        ],
        [{ timeMs: START_MS + 30_000, values: { ztd: null, prn: "C23", snr: null } }],
      ],
    };
    for (const { found, expected } of await inBothLayouts(plain)) expect(found).toStrictEqual(expected);
  });

  it("of satellites that exceed the limit are rejected with an error", async () => {
    const plain: PlainSource = {
      stations: [station(0)],
      variables: ["prn"],
      rows: [[{ timeMs: START_MS, values: { prn: "G01".repeat(1000) } }]],
    };
    const result = await writeTimeSeriesNetcdf(join(folder, "large.nc"), sourceOf(plain), { maxTextCharacters: 100 });
    expect(result).toMatchObject({ ok: false, error: { kind: "tooLarge" } });
  });
});

async function layoutOf(rows: PlainSource["rows"]) {
  const { file, layout } = await written({ stations: rows.map((_, i) => station(i)), variables: ["ztd"], rows });
  file.close();
  return layout;
}

describe("layout", () => {
  it("is a grid if stations share their epochs, even if most stations lack some of them", async () => {
    expect(await layoutOf([regularRows(1000, 1), regularRows(300, 2), []])).toBe("grid");
  });

  it("is ragged if a grid would have more than 80 % fill values", async () => {
    const apart = [0, 1, 2, 3, 4, 5].map((i) =>
      regularRows(100, i).map((r) => ({ ...r, timeMs: r.timeMs + i * DAY_MS })),
    );
    expect(await layoutOf(apart.slice(0, 5))).toBe("grid");
    expect(await layoutOf(apart)).toBe("ragged");
  });

  it("supports a file without rows, which lists its stations", async () => {
    const { file, rows } = await written({ stations: [station(7)], variables: ["ztd"], rows: [[]] });
    expect(rows).toBe(0);
    expect(file.read("station_id")).toEqual([station(7).id]);
    expect(file.variable("ztd")!.shape).toEqual([0, 1]);
    file.close();
  });
});

// Names, units and meanings are compared with docs/files.md (netcdfVariables.test.ts), and with the rules of CF
// (netcdfConventions.test.ts).
describe("attributes by CF-1.8 and ACDD-1.3", () => {
  const plain: PlainSource = {
    stations: [station(0), station(1)],
    variables: SCALARS,
    rows: [regularRows(100, 1), regularRows(90, 2)],
  };

  it.each(["grid", "ragged"] as const)("say what the file covers, in the layout: %s", async (layout) => {
    const { file } = await written(plain, layout);
    expect(file.attributes).toMatchObject({
      Conventions: "CF-1.8, ACDD-1.3",
      featureType: "timeSeries",
      summary: "Made for a test: ÄÖ, 東京.",
      time_coverage_start: "2026-01-01T00:00:00Z",
      time_coverage_end: "2026-01-01T00:49:30Z",
      time_coverage_duration: "PT49M30S",
      time_coverage_resolution: "PT30S",
      geospatial_lat_min: 60,
      geospatial_lat_max: 60.001,
    });
    const shape = { grid: ["time", "station"], ragged: ["obs"] };
    expect(file.variable("ztd")!.dimensions).toEqual(shape[layout]);
    expect(file.variable("row_size")?.attributes["sample_dimension"]).toBe(layout === "ragged" ? "obs" : undefined);
    expect(file.dimensions.filter((d) => d.unlimited).map((d) => d.name)).toEqual(layout === "grid" ? ["time"] : []);
    file.close();
  });

  it.each(["grid", "ragged"] as const)("describe intervals with bounds and means: %s", async (layout) => {
    const { file } = await written({ ...plain, rows: [regularRows(10, 1, 900_000), []], intervalSeconds: 900 }, layout);
    const [start, end] = (file.read("time_bnds") as Float64Array).slice(0, 2);
    expect([start, end]).toEqual([START_MS / 1000, START_MS / 1000 + 900]);
    expect(file.variable("time")!.attributes["bounds"]).toBe("time_bnds");
    expect(file.variable("ztd")!.attributes["cell_methods"]).toBe("time: mean");
    expect(file.attributes["time_coverage_end"]).toBe("2026-01-01T02:30:00Z");
    expect(file.attributes["time_coverage_resolution"]).toBe("PT15M");
    file.close();
  });

  it("name the reference of heights, and separate two references", async () => {
    const egm = { heightReference: "EGM2008", height: 12.5 } as const;
    const one = await written({ ...plain, stations: [station(0, egm), station(1, egm)] });
    expect(one.file.variable("height")!.attributes).toMatchObject({ standard_name: "altitude", geoid_name: "EGM2008" });
    one.file.close();
    const both = await written({ ...plain, stations: [station(0, egm), station(1)] });
    const fill = both.file.variable("height")!.attributes["_FillValue"];
    expect([...(both.file.read("height") as Float64Array)]).toEqual([fill, 51.25]);
    expect([...(both.file.read("altitude") as Float64Array)]).toEqual([12.5, fill]);
    expect(both.file.variable("height")!.attributes["standard_name"]).toBe("height_above_reference_ellipsoid");
    both.file.close();
  });
});

describe("the writer", () => {
  it("keeps names, with invalid characters replaced and long names cut at a character", async () => {
    const names = ["=1+1", 'a,"b"\n', "東京 Ä\u202Eevil", "nul\0inside", "😀".repeat(300_000), "", "\uD800 half"];
    const stations = names.map((displayName, i) => station(i, { displayName, locationAlias: displayName }));
    const { file } = await written({ stations, variables: ["ztd"], rows: names.map(() => []) });
    const read = file.read("station_name") as string[];
    expect(read.slice(0, 3)).toEqual(names.slice(0, 3));
    expect(read[3]).toBe("nul\uFFFDinside");
    expect(read[4]).toBe(`${"😀".repeat(63)}…`);
    expect(read[5]).toBe("");
    expect(read[6]).toBe("\uFFFD half");
    file.close();
  });

  it("accepts a station without a position and a long query", async () => {
    const source = sourceOf({
      stations: [station(0, { latitudeDeg: null, longitudeDeg: null, height: null })],
      variables: ["ztd"],
      rows: [regularRows(3, 1)],
    });
    const path = join(folder, "long-query.nc");
    const query = JSON.stringify(Array.from({ length: 5_000 }, (_, i) => station(i).id));
    const result = await writeTimeSeriesNetcdf(path, { ...source, provenance: { ...source.provenance, query } });
    expect(result).toMatchObject({ ok: true });
    const file = await opened(path);
    expect(file.attributes["query"]).toBe(query);
    expect(file.attributes).not.toHaveProperty("geospatial_lat_min");
    file.close();
  });
});
