import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listProblems } from "#shared/satellites/problems.ts";
import { sidecarText, type Sidecar } from "#formats/sidecar.ts";
import { readSidecar } from "./sidecarReader.ts";
import { DAY_MS, START_MS, station } from "./sources.ts";

const range = { startMs: START_MS, endMs: START_MS + DAY_MS };
const gap = { startMs: START_MS + 1_000, endMs: START_MS + 2_500 };

const NOWHERE = { latitudeDeg: null, longitudeDeg: null, height: null, heightReference: "WGS84_ELLIPSOID" } as const;

const sidecar: Sidecar = {
  run: "0c6a9d0e-3f54-4a7e-9a55-0d5f6a4a8d11",
  files: ["zenith.nc", "zenith-satellites.nc"].map((name) => ({ name, bytes: 12, sha256: "ab".repeat(32) })),
  createdAtMs: START_MS,
  versions: { "zenith-desk": "0.1.0", netcdf: "NetCDF-4, CF-1.8" },
  service: "https://service.example",
  isSimulated: false,
  query: {
    stationIds: [station(0).id, station(1).id],
    variables: ["ztd"],
    range,
    intervalSeconds: 86_400,
    zone: "Europe/Helsinki",
    raw: false,
  },
  stations: [
    {
      id: station(0).id,
      displayName: '=1+1 "東京"',
      latitudeDeg: 60.17,
      longitudeDeg: -24.9,
      height: 12.5,
      heightReference: "EGM2008",
      rows: 2_880,
      series: [
        {
          variable: "ztd",
          values: 2_879,
          final: [range],
          provisional: [gap],
          gapCount: 1,
          gapSecondsByCause: { empty: 1.5 },
          gaps: [{ range: gap, cause: "empty" }],
        },
      ],
    },
    { id: station(1).id, displayName: "without", ...NOWHERE, rows: 0, series: [] },
  ],
  verdicts: [
    { stationId: station(0).id, variable: "ztd", range, state: "ok", rows: 2_880, reason: null },
    { stationId: station(1).id, variable: "ztd", range, state: "forbidden", rows: 0, reason: "Not yours to see." },
  ],
  unknownStationIds: ["00000000-0000-4000-8000-000000000000"],
  satelliteProblems: listProblems({ unreadableValue: 2 }),
  howToOpen: { python: ["import xarray"] },
};

/** Names of all fields, as `stations[].series[].gaps[].cause`; those of `gap_seconds` and of languages are values. */
function fieldsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, `${path}[]`));
  if (typeof value !== "object" || value === null || /(gap_seconds|how_to_open|versions)$/.test(path)) return [path];
  return Object.entries(value).flatMap(([name, field]) => fieldsOf(field, path === "" ? name : `${path}.${name}`));
}

describe("the sidecar", () => {
  it("round-trips exactly", () => {
    expect(readSidecar(sidecarText(sidecar))).toEqual(sidecar);
    const { satelliteProblems: _, unknownStationIds: __, howToOpen: ___, ...without } = sidecar;
    expect(readSidecar(sidecarText(without))).toStrictEqual(without);
  });

  it("describes stations without data, and the filter", () => {
    const document = JSON.parse(sidecarText(sidecar)) as Record<string, unknown>;
    expect(document).toMatchObject({
      stations_without_data: [station(1).id, "00000000-0000-4000-8000-000000000000"],
      filter: expect.stringContaining("The quality filter was on"),
      query: { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-02T00:00:00Z" },
    });
    const raw = sidecarText({ ...sidecar, query: { ...sidecar.query, raw: true } });
    expect(raw).toContain("The quality filter was off");
  });

  it("has exactly the fields that docs/files.md describes", () => {
    const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "files.md"), "utf8");
    const section = page.split("\n## ").find((text) => text.startsWith("Descriptions"));
    const described = [...(section ?? "").matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
    const fields = fieldsOf(JSON.parse(sidecarText(sidecar))).map((name) => name.replace(/\[\]$/, ""));
    expect(described.toSorted()).toEqual([...new Set(fields)].toSorted());
  });
});
