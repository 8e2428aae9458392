import { describe, expect, it } from "vitest";
import { snapshotCsv } from "#renderer/features/map/save.ts";
import { anomalyText } from "#renderer/features/map/labels.ts";
import { stationSchema } from "#shared/service/catalogue.ts";

const STATIONS = [0, 100, 200, 300, 400, null].map((height, i) => ({
  ...stationSchema.parse({ id: `s${i}`, display_name: `Station ${i}` }),
  ellipsoidalHeight: height,
  orthometricHeight: null,
}));
const FRAME = {
  momentMs: 0,
  read: (id: string) => ({ timeMs: 0, value: 2_400 + (id === "s2" ? 5 : 0), from: "cache" as const }),
};
const lines = (hasAnomaly: boolean): string[][] =>
  snapshotCsv(STATIONS, FRAME, { variables: ["ztd"], causes: {}, hasAnomaly })
    .replace(/^\uFEFF/, "")
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));

describe("the snapshot of the map", () => {
  it("has a column for the ZTD anomaly if the map shows it", () => {
    const [head, ...rows] = lines(true);
    expect(head!.at(-1)).toBe("ztd_height_reduced_anomaly_mm");
    expect(rows.map((row) => row.at(-1))).toEqual(["-1", "-1", "4", "-1", "-1", ""]);
    expect(rows[2]![head!.indexOf("ztd_mm")]).toBe("2405");
  });

  it("has no column for the anomaly otherwise", () => {
    expect(lines(false)[0]!.at(-1)).toBe("ztd_missing_because");
  });

  it.each([
    [12.34, " (+12.3)"],
    [-0.5, " (−0.5)"],
    [0.01, " (0.0)"],
    [Number.NaN, ""],
  ])("formats the anomaly %d as “%s”", (anomaly, text) => {
    expect(anomalyText(anomaly)).toBe(text);
  });
});
