import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EXPORT_FORMATS, FORMATS } from "#shared/file/formats.ts";
import { exportFileName, type NamedExport } from "#shared/file/names.ts";
import { DEFAULT_TEMPLATE, parseTemplate, TEMPLATE_FIELDS, templateProblem } from "#shared/file/template.ts";
import { uniqueFileNames } from "#shared/file/fileName.ts";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { scratchFolder } from "../../support/folder.ts";
import { valueOf } from "../../support/valueOf.ts";

const START_MS = Date.UTC(2026, 9, 1);
const OCTOBER = { startMs: START_MS, endMs: START_MS + 31 * DAY_MS };

type Change = Partial<NamedExport["request"]> & { name?: string; connectionName?: string; exportName?: string };

function named({ name = "Kallio", connectionName = "Aurora", exportName, ...request }: Change = {}): NamedExport {
  return {
    request: {
      stationIds: ["s1"],
      variables: ["ztd", "pwv"],
      intervalSeconds: 3_600,
      raw: false,
      range: OCTOBER,
      format: "netcdf",
      ...request,
    },
    stations: new Map([["s1", { displayName: name }]]),
    connectionName,
    exportName: exportName ?? null,
  };
}

function nameOf(template: string, change: Change = {}): string {
  return valueOf(exportFileName(template, named(change)));
}

describe("a template for file names", () => {
  it.each<[string, Change, string]>([
    [DEFAULT_TEMPLATE, {}, "Kallio_ztd-pwv_1h_2026-10-01-to-2026-10-31.nc"],
    [
      DEFAULT_TEMPLATE,
      { stationIds: ["a", "b"], raw: true, intervalSeconds: null, format: "csv" },
      "2-stations_ztd-pwv_native_raw_2026-10-01-to-2026-10-31.csv",
    ],
    [
      "{connection}_{stations}_{variables}_{start}_{end}_{interval}.{ext}",
      { name: "Älvsborgsudden, Outer Pier" },
      "Aurora_Älvsborgsudden,-Outer-Pier_ztd-pwv_2026-10-01_2026-10-31_1h.nc",
    ],
    ["{range}", { range: { startMs: START_MS, endMs: START_MS + DAY_MS } }, "2026-10-01.nc"],
    [
      "{start}-{end}",
      { range: { startMs: START_MS, endMs: START_MS + HOUR_MS } },
      "2026-10-01T0000Z-2026-10-01T0100Z.nc",
    ],
    // The first mean covers its whole interval, so the file starts earlier than the range.
    ["{start}", { range: { startMs: START_MS + 5, endMs: START_MS + DAY_MS } }, "2026-10-01.nc"],
    ["{interval}", { intervalSeconds: 900 }, "15min.nc"],
    ["{interval}", { intervalSeconds: 45 }, "45s.nc"],
    ["{interval}", { intervalSeconds: 2 * 86_400 }, "2d.nc"],
    // An empty field is removed with the separator before it, or after it at the start.
    ["{stations}_{raw}_{format}", {}, "Kallio_netcdf.nc"],
    ["{name}_{raw}_{stations}", {}, "Kallio.nc"],
    ["{name} {stations} {raw}", { exportName: "Daily" }, "Daily Kallio.nc"],
    ["{raw}", {}, "export.nc"],
    // With and without the extension, and with another one.
    ["day.nc", {}, "day.nc"],
    ["DAY.NC", {}, "DAY.nc"],
    ["day.csv", {}, "day.csv.nc"],
    ["{ext}_{stations}.{ext}", {}, "nc_Kallio.nc"],
    [" {Stations}. ", {}, "Kallio.nc"],
    ["{stations}", { name: "{start}/../con" }, "{start}_.._con.nc"],
    ["{stations}.{ext}", { name: "con" }, "_con.nc"],
    ["{stations}", { name: "" }, "s1.nc"],
  ])("gives for %j with %j: %s", (template, change, expected) => {
    expect(nameOf(template, change)).toBe(expected);
  });

  it.each([
    ["{station}", /no field \{station\}.*\{stations\}, \{variables\}/],
    ["{}", /no field \{\}/],
    ["{stations", /brace/],
    ["stations}", /brace/],
    ["{{stations}}", /brace/],
    ["a/{stations}", /not a folder/],
    ["a\\b", /not a folder/],
    ["{start}:{end}", /“:”/],
    ["a\u0000b", /control character/],
    [" ", /empty/],
    ["x".repeat(201), /too long/],
  ])("is rejected with a message: %j", (template, message) => {
    expect(templateProblem(template)).toMatch(message);
    expect(templateProblem(template)).toMatch(/[.]$/);
  });

  it("keeps the dates of a name that is too long", () => {
    const long = "北".repeat(300);
    const name = nameOf("{connection}_{stations}_{start}_{end}", { name: long, connectionName: long });
    expect(name).toMatch(/^北{12}_北{12}_2026-10-01_2026-10-31\.nc$/);
  });
});

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'./\\:*?"<>|{} \0\t\n\u202E\u200B-_~aCßẞK'),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 200,
});
const hostile = fc.oneof(text, fc.constantFrom("CON", "aux", "Lpt1", "com¹", "nul.", "..", "", " "));
const template = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.keys(TEMPLATE_FIELDS).map((f) => `{${f}}`)),
      text.map((t) => t.replaceAll(/[<>:"/\\|?*{}\p{Cc}]/gu, "")),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join(""))
  .filter((t) => parseTemplate(t).ok);

/** Checks the rules of Windows, macOS and Linux together. */
function expectPortable(name: string): void {
  expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}]|[. ]$|^[-. ]|^$/u);
  expect(name).not.toMatch(/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(130);
  expect(name).toBe(name.normalize("NFC"));
}

describe("file names from any template and station name", () => {
  const folder = scratchFolder();

  it("are valid on every system, have the extension of the format, and are unchanged as a template", () => {
    fc.assert(
      fc.property(
        template,
        hostile,
        hostile,
        fc.constantFrom(...EXPORT_FORMATS),
        fc.boolean(),
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 4e11 }),
        (template, name, connectionName, format, raw, startMs, lengthMs) => {
          const range = { startMs, endMs: startMs + lengthMs };
          const file = nameOf(template, { name, connectionName, format, raw, range, intervalSeconds: null });
          expectPortable(file);
          expect(file.endsWith(`.${FORMATS[format].extension}`)).toBe(true);
          // As a template, the name gives itself: its text is not interpreted again.
          const again = /[{}]/.test(file) || templateProblem(file) !== null ? file : nameOf(file, { format });
          expect(again.toLowerCase()).toBe(file.toLowerCase());
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are different for all stations, parts and satellites", () => {
    const alike = fc.constantFrom(
      "A",
      "a",
      "ä",
      "a\u0308",
      "Ä",
      "a-1",
      "A-2",
      "a-satellites",
      "a-satellites-2",
      "a (2)",
      "ﬀ",
      "ff",
      "CON",
    );
    let run = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(alike, hostile), { minLength: 1, maxLength: 12 }), (stations) => {
        const names = uniqueFileNames(stations.map((name) => nameOf("{stations}", { name, format: "csv" })));
        const written = names.flatMap((name) => {
          expectPortable(name);
          const stem = name.slice(0, -4);
          return ["", "-satellites", "-stations"].map((part) => `${stem}${part}.csv`);
        });
        // For a file system that ignores case.
        expect(new Set(written.map((w) => w.toUpperCase().toLowerCase())).size).toBe(written.length);
        const own = join(folder, String(run++));
        mkdirSync(own);
        for (const file of written) writeFileSync(join(own, file), "", { flag: "wx" });
        expect(readdirSync(own)).toHaveLength(written.length);
      }),
      { numRuns: 150 },
    );
  });

  it("are unchanged without a conflict", () => {
    expect(uniqueFileNames(["Kallio.csv", "Met-1.csv", "Met-2.csv"])).toEqual(["Kallio.csv", "Met-1.csv", "Met-2.csv"]);
    expect(uniqueFileNames(["Met.csv", "Met-stations.csv", "MET.csv"])).toEqual([
      "Met.csv",
      "Met-stations (2).csv",
      "MET (2).csv",
    ]);
    const formats = ["Met.nc", "Met.csv", "Met.svg", "Met.pdf"];
    expect(uniqueFileNames(formats)).toEqual(formats);
    expect(uniqueFileNames(["Met.nc", "Met-stations.csv", "Met.NC"])).toEqual([
      "Met.nc",
      "Met-stations.csv",
      "Met (2).NC",
    ]);
  });
});
