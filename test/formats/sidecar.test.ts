import { describe, expect, it } from "vitest";
import { parseSidecar, sidecarText, type Sidecar } from "#formats/sidecar.ts";
import { DAY_MS, START_MS, station } from "./sources.ts";

const range = { startMs: START_MS, endMs: START_MS + DAY_MS };
const gap = { startMs: START_MS + 1_000, endMs: START_MS + 2_500 };

const NOWHERE = { latitudeDeg: null, longitudeDeg: null, height: null, heightReference: null };

const sidecar: Sidecar = {
  files: ["zenith.nc", "zenith-satellites.nc"],
  createdAtMs: START_MS,
  versions: { "zenith-desk": "0.1.0", netcdf: "NetCDF-4, CF-1.8" },
  serviceOrigin: "https://service.example",
  isSimulated: false,
  query: { stationIds: [station(0).id, station(1).id], variables: ["ztd"], range, intervalSeconds: 900, raw: false },
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
          provisional: [],
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
  anomalies: { conflict: 3 },
};

describe("the sidecar", () => {
  it("round-trips exactly", () => {
    expect(parseSidecar(sidecarText(sidecar))).toEqual({ ok: true, value: sidecar });
    const { anomalies: _, ...without } = sidecar;
    expect(parseSidecar(sidecarText(without))).toStrictEqual({ ok: true, value: without });
  });

  it("describes stations without data, the filter and anomalies", () => {
    const document = JSON.parse(sidecarText(sidecar)) as Record<string, unknown>;
    expect(document).toMatchObject({
      stations_without_data: [station(1).id],
      filter: expect.stringContaining("The quality filter was on"),
      anomalies: [{ kind: "conflict", count: 3, meaning: expect.stringContaining("conflicting duplicate") }],
      query: { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-02T00:00:00Z" },
    });
    const raw = sidecarText({ ...sidecar, query: { ...sidecar.query, raw: true } });
    expect(raw).toContain("The quality filter was off");
  });

  it("ignores unknown fields, and rejects other documents", () => {
    const later = { ...(JSON.parse(sidecarText(sidecar)) as object), added_later: 1 };
    expect(parseSidecar(JSON.stringify(later))).toEqual({ ok: true, value: sidecar });
    for (const text of ["", "{}", "[]", '{"format":"other"}', sidecarText(sidecar).slice(0, 300)]) {
      expect(parseSidecar(text)).toMatchObject({ ok: false, error: { kind: "unreadable" } });
    }
  });
});
