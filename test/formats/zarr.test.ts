import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { writeSatelliteNetcdf } from "#formats/netcdf/satellites/write.ts";
import { crc32c } from "#formats/zarr/shards.ts";
import { type PlainSource, plainSource, regularRows, sourceOf, START_MS, station } from "./sources.ts";
import { gateCases, tries } from "../support/endurance.ts";
import { mustSucceed, namesIn, scratchFolder } from "./tools.ts";
import { readZarr as read } from "./zarrReader.ts";

// Stores are read by zarrita, which decodes shards, zstd, texts and checksums independently.

const folder = scratchFolder();
let stores = 0;

async function written(plain: PlainSource, layout: "grid" | "ragged" = "grid"): Promise<string> {
  const path = join(folder, `${++stores}.zarr`);
  mustSucceed(await writeTimeSeriesNetcdf(path, sourceOf(plain), { container: "zarr", layout }));
  return path;
}

/** The cells of a variable as a grid of (time, station), over the times of all stations. */
function grid({ rows }: PlainSource, variable: "ztd" | "pwv"): { times: number[]; cells: (number | null)[] } {
  const times = [...new Set(rows.flat().map((row) => row.timeMs))].toSorted((a, b) => a - b);
  const maps = rows.map((own) => new Map(own.map((row) => [row.timeMs, row.values[variable]])));
  const cells = times.flatMap((time) => maps.map((own) => own.get(time) ?? null));
  return { times, cells: cells as (number | null)[] };
}

describe("Zarr", () => {
  it("round-trips a grid across chunk and shard boundaries", async () => {
    const rows = Array.from({ length: 70 }, (_, i) => (i === 40 ? [] : regularRows(i === 3 ? 9_000 : 60 + i, i)));
    const plain: PlainSource = { stations: rows.map((_, i) => station(i)), variables: ["ztd", "pwv"], rows };
    const path = await written(plain);
    const found = await read(path);
    const ztd = grid(plain, "ztd");
    expect(found.get("ztd")).toMatchObject({ shape: [9_000, 70], dimensions: ["time", "station"] });
    expect(found.get("ztd")!.values).toEqual(ztd.cells);
    expect(found.get("pwv")!.values).toEqual(grid(plain, "pwv").cells);
    expect(found.get("time")!.values).toEqual(ztd.times);
    expect(readdirSync(join(path, "ztd", "c", "0"))).toEqual(["0", "1"]);
  });

  it("round-trips doubles exactly in both layouts", async () => {
    const property = fc.asyncProperty(plainSource(["ztd", "pwv"]), async (plain) => {
      const shared = await read(await written(plain));
      const { times, cells } = grid(plain, "ztd");
      expect(shared.get("time")!.values).toEqual(times);
      expect(shared.get("ztd")!.values).toEqual(cells);
      const rows = plain.rows.flat();
      const ragged = await read(await written(plain, "ragged"));
      expect(ragged.get("row_size")!.values).toEqual(plain.rows.map((own) => own.length));
      expect(ragged.get("time")!.values).toEqual(rows.map((row) => row.timeMs));
      expect(ragged.get("pwv")!.values).toEqual(rows.map((row) => row.values.pwv ?? null));
    });
    await fc.assert(property, { numRuns: tries(gateCases(8), 60) });
  });

  it("stores what xarray needs: dimensions, CF attributes, fill values in base64, names as texts", async () => {
    const plain: PlainSource = {
      stations: [station(0, { displayName: "Älvsborg 東京" }), station(1)],
      variables: ["ztd"],
      rows: [regularRows(9, 0, 900_000), regularRows(5, 1, 900_000)],
      intervalSeconds: 900,
    };
    const found = await read(await written(plain));
    expect(found.get("station_name")!.values).toEqual(["Älvsborg 東京", "Station 1"]);
    const { units, calendar, bounds } = found.get("time")!.attributes;
    expect({ units, calendar, bounds }).toEqual({
      units: "milliseconds since 1970-01-01T00:00:00Z",
      calendar: "standard",
      bounds: "time_bnds",
    });
    expect(found.get("time_bnds")).toMatchObject({ shape: [9, 2], dimensions: ["time", "nv"] });
    expect(found.get("time_bnds")!.values.slice(0, 2)).toEqual([START_MS, START_MS + 900_000]);
    const { _FillValue: fill, coordinates, units: millimetres } = found.get("ztd")!.attributes;
    expect({ fill, coordinates, millimetres }).toEqual({
      fill: "AAAAAAAA+H8=",
      coordinates: "lat lon height station_id station_name",
      millimetres: "mm",
    });
    expect(found.get("crs")).toMatchObject({ shape: [], values: [0] });
    expect(found.get("ztd")!.values.slice(-2)).toEqual([plain.rows[0]![8]!.values.ztd, null]);
  });

  it("stores satellites as one series per pair", async () => {
    const rows = regularRows(9_000, 0).map((row, i) => ({
      ...row,
      values: { prn: i % 2 === 0 ? "G01,R05" : "G01", el: i % 2 === 0 ? `${i % 90},12.5` : "45", az: null, snr: null },
    }));
    const plain: PlainSource = { stations: [station(0)], variables: ["prn", "el"], rows: [rows] };
    const path = join(folder, "sky.zarr");
    mustSucceed(await writeSatelliteNetcdf(path, sourceOf(plain), { container: "zarr" }));
    const found = await read(path);
    expect(found.get("prn")!.values).toEqual(["G01", "R05"]);
    expect(found.get("row_size")!.values).toEqual([9_000, 4_500]);
    const elevations = rows.map((row) => Number(row.values.el.split(",")[0]));
    expect(found.get("elevation")!.values).toEqual([...elevations, ...Array.from({ length: 4_500 }, () => 12.5)]);
    expect(found.get("azimuth")!.values.every((v) => v === null)).toBe(true);
  });

  it("replaces an exported store, but no folder with other files", async () => {
    const plain: PlainSource = { stations: [station(0)], variables: ["ztd"], rows: [regularRows(5, 0)] };
    const path = await written(plain);
    const write = () => writeTimeSeriesNetcdf(path, sourceOf(plain), { container: "zarr" });
    expect(await write()).toMatchObject({ ok: true });
    writeFileSync(join(path, "notes.txt"), "mine");
    expect(await write()).toMatchObject({ ok: false, error: { kind: "invalid" } });
    expect(readFileSync(join(path, "notes.txt"), "utf8")).toBe("mine");
    const foreign = join(folder, "foreign.zarr");
    mkdirSync(join(foreign, "c"), { recursive: true });
    writeFileSync(join(foreign, "zarr.json"), '{"zarr_format":3,"node_type":"array","attributes":{}}');
    expect(await writeTimeSeriesNetcdf(foreign, sourceOf(plain), { container: "zarr" })).toMatchObject({ ok: false });
    expect(namesIn(foreign)).toEqual(["c", "zarr.json"]);
  });

  it("leaves no files when cancelled", async () => {
    const inside = join(folder, "stopped");
    mkdirSync(inside);
    const stop = new AbortController();
    const plain: PlainSource = {
      stations: [station(0), station(1)],
      variables: ["ztd"],
      rows: [regularRows(9_000, 0), []],
    };
    const { blocks, ...source } = sourceOf(plain);
    let reads = 0;
    const stopping = {
      ...source,
      *blocks(index: number) {
        for (const block of blocks(index)) {
          if (++reads > 12) stop.abort();
          yield block;
        }
      },
    };
    const path = join(inside, "a.zarr");
    const options = { container: "zarr", layout: "grid", signal: stop.signal } as const;
    expect(await writeTimeSeriesNetcdf(path, stopping, options)).toMatchObject({
      ok: false,
      error: { kind: "cancelled" },
    });
    expect(existsSync(path)).toBe(false);
    expect(namesIn(inside)).toEqual([]);
  });

  it("computes the checksum of RFC 3720", () => {
    expect(crc32c(Buffer.from("123456789"))).toBe(0xe3069283);
    expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  });
});
