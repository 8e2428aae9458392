import { describe, expect, it } from "vitest";
import { dataFolder } from "#main/dataFolder.ts";
import { exportCommand, repeatCommand } from "#main/app/exports/command.ts";

describe("the command of a saved export", () => {
  const usual = { HOME: "/home/me", XDG_DATA_HOME: "/home/me/.data" };
  it.each<[string, string, Record<string, string>, NodeJS.Platform, string]>([
    ["Daily", dataFolder(usual), usual, "linux", "zenith export --repeat Daily --fetch"],
    ["Daily three", dataFolder(usual), usual, "linux", 'zenith export --repeat "Daily three" --fetch'],
    [
      "Daily",
      "/data/it's here",
      { ...usual, ZENITH_HOME: "/data/it's here" },
      "linux",
      "zenith export --repeat Daily --fetch --data-folder '/data/it'\\''s here'",
    ],
    [
      "Ä (1)",
      "/data/my zenith",
      { ...usual, npm_lifecycle_event: "zenith" },
      "win32",
      'npm run zenith -- export --repeat "Ä (1)" --fetch --data-folder "/data/my zenith"',
    ],
  ])("includes name and data folder: %s in %s", (name, folder, env, platform, expected) => {
    expect(repeatCommand(name, folder, env, platform)).toBe(expected);
  });
});

it("the command of an export has all options that apply to the format", () => {
  const request = {
    stationIds: ["a1", "b2"],
    variables: ["ztd", "pwv"],
    range: { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 2) },
    intervalSeconds: 900,
    raw: true,
    resampled: true,
    format: "csv",
    heightReference: "EGM2008",
    stationDetails: "columns",
    emptyRows: true,
    layout: "ragged",
  } as const;
  const place = { fileName: "it's.csv", connectionName: "my service", dataFolder: dataFolder({ HOME: "/h" }) };
  const common =
    "zenith export a1 b2 --vars ztd,pwv --from 2026-09-01T00:00:00Z --to 2026-09-02T00:00:00Z --interval 900s --resample --raw --height-reference EGM2008";
  expect(exportCommand(request, place, { HOME: "/h" }, "linux")).toBe(
    `${common} --station-details columns --empty-rows --format csv --out 'it'\\''s.csv' --connection 'my service'`,
  );
  expect(exportCommand({ ...request, format: "netcdf" }, { ...place, fileName: "a.nc" }, { HOME: "/h" }, "linux")).toBe(
    `${common} --layout ragged --format netcdf --out a.nc --connection 'my service'`,
  );
});
