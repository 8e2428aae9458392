import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareSources } from "#main/app/comparison/compare.ts";
import { derivedPwv, type Pressure } from "#main/app/comparison/derivedPwv.ts";
import { fileSide, sourcesOfSides } from "#main/app/comparison/fileSource.ts";
import type { Source } from "#main/app/comparison/sources.ts";
import type { Site } from "#shared/comparison.ts";
import { heightsOf, type Position } from "#shared/station/position.ts";
import { openedSeries } from "../formats/open/support.ts";
import { scratchFolder } from "../formats/tools.ts";
import { valueOf } from "../support/valueOf.ts";

const RANGE = { startMs: 0, endMs: 3_600_000 };

function positionAt(heights: Parameters<typeof heightsOf>[0], latitudeDeg = 60): Position {
  return { latitudeDeg, longitudeDeg: 25, heights: heightsOf(heights) };
}

function sourceOf(position: Position | null, value: number): Source {
  const site: Site = { id: "x", label: "KALL", stationId: null, domes: null, position };
  return {
    name: "file",
    details: [],
    method: [],
    sites: [site],
    range: RANGE,
    cellMs: () => 0,
    rows: () => Promise.resolve({ ok: true, value: { timesMs: Float64Array.of(0), values: Float64Array.of(value) } }),
  };
}

/** PWV at a position, and the sentences about heights; null if it is left out. */
async function pwvAt(position: Position | null, pressure: Pressure, known: readonly Position[]) {
  const derived = valueOf(derivedPwv(sourceOf(position, 2_400), pressure, known));
  const { details, sites } = derived;
  if (sites.length === 0) return { pwv: null, details: details.join(" ") };
  const rows = valueOf(await derived.rows("x", RANGE));
  return { pwv: rows.values[0]!, details: details.join(" ") };
}

function pressuresOf(position: Position | null): Pressure {
  return { kind: "series", name: "met", sourceAt: () => ({ ok: true, value: sourceOf(position, 1_005) }) };
}

describe("PWV derived from ZTD", () => {
  const height = fc.integer({ min: -50, max: 3_000 });
  const undulation = fc.integer({ min: -100, max: 85 });

  it("is the same for one point, whichever heights of it and of its pressure are stated", async () => {
    await fc.assert(
      fc.asyncProperty(height, undulation, fc.integer({ min: -30, max: 30 }), async (geoid, n, above) => {
        const known = [positionAt({ ellipsoid: 500 + n, geoid: 500 }, 60.05)];
        const forms = (metres: number): Position[] => [
          positionAt({ geoid: metres }),
          positionAt({ ellipsoid: metres + n }),
          positionAt({ geoid: metres, ellipsoid: metres + n }),
        ];
        const standard = await Promise.all(forms(geoid).map((at) => pwvAt(at, { kind: "standard" }, known)));
        for (const { pwv } of standard) expect(pwv).toBeCloseTo(standard[0]!.pwv!, 9);
        expect(standard[1]!.details).toContain("converted with the geoid undulation");
        const reduced = await Promise.all(
          forms(geoid).flatMap((at) => forms(geoid + above).map((air) => pwvAt(at, pressuresOf(air), known))),
        );
        for (const { pwv } of reduced) expect(pwv).toBeCloseTo(reduced[0]!.pwv!, 9);
      }),
    );
  });

  it("is left out for a height above the ellipsoid where no height above the geoid is known", async () => {
    const far = [positionAt({ ellipsoid: 118, geoid: 100 }, 61)];
    for (const at of [positionAt({ ellipsoid: 45 }), positionAt({}), null]) {
      const { pwv, details } = await pwvAt(at, { kind: "standard" }, far);
      expect(pwv).toBeNull();
      expect(details).toContain("1 site left out");
    }
  });

  it("says so if the reference of a height, or of that of the pressure, is unknown", async () => {
    const unsure = await pwvAt(positionAt({ unknown: 45 }), { kind: "standard" }, []);
    const stated = await pwvAt(positionAt({ geoid: 45 }), { kind: "standard" }, []);
    expect(unsure.pwv).toBe(stated.pwv);
    expect([unsure.details, stated.details]).toEqual([expect.stringContaining("reference is unknown"), ""]);
    const air = await pwvAt(positionAt({ geoid: 45 }), pressuresOf(positionAt({ unknown: 45 })), []);
    expect(air.details).toContain("whose pressure has a height that is unknown");
  });
});

const folder = scratchFolder();

function rowsAt(id: string, lat: string, heights: readonly string[]): string {
  return ["00", "30"].map((m) => `${id},2026-01-01T00:${m}:00Z,24${m}.5,${lat},25,${heights.join(",")}\n`).join("");
}

/** A file with the ZTD of Kallio, whose undulation is 18 m, and of a station 11 km away, with the given heights. */
async function sideWith(name: string, kallio: readonly string[], near: readonly string[]) {
  const path = join(folder, name);
  const header = "station_id,time,ztd_mm,latitude_deg,longitude_deg,height_m,ellipsoidal_height_m,height_msl\n";
  writeFileSync(path, `${header}${rowsAt("KALL", "60", kallio)}${rowsAt("NEAR", "60.1", near)}`);
  const file = await openedSeries(path);
  const content = {
    name,
    description: file,
    series: file.series,
    grids: [],
    read: (id: string) =>
      Promise.resolve({ ok: true, value: file.rows(file.series.findIndex((each) => each.id === id)) } as const),
    readPoints: () => Promise.resolve({ ok: true, value: [] } as const),
  };
  return fileSide(content, { variable: "pwv", pressure: { kind: "standard" }, grid: "bilinear" });
}

describe("PWV derived from two opened files, without a cache", () => {
  const [ELLIPSOIDAL, GEOID, UNKNOWN, BOTH] = [
    ["", "63", ""],
    ["", "", "45"],
    ["45", "", ""],
    ["", "63", "45"],
  ] as const;
  const NONE = ["", "", ""] as const;

  async function compared(own: readonly string[], other: readonly string[], near: readonly string[]) {
    const sides = [await sideWith("a.csv", own, NONE), await sideWith("b.csv", other, near)] as const;
    const sources = sourcesOfSides(...sides);
    if (!sources.ok) return { message: sources.error.message };
    const { a, b } = sources.value;
    const result = await compareSources(
      a,
      b,
      {
        variable: "pwv",
        range: null,
        pairing: { kind: "nearest", toleranceMs: null },
        rejectSigmas: null,
        height: "saastamoinen",
        groupings: [],
        withinKm: 1,
        chosen: { pairs: new Map(), unmatchedA: new Set(), unmatchedB: new Set() },
      },
      { yieldIfDue: () => Promise.resolve() },
    );
    if (!result.ok) return { message: result.error.message };
    const [site] = result.value.sites;
    const { statistics, match } = site!;
    const said = [...result.value.a.details, ...result.value.b.details, ...result.value.method].join(" ");
    return { bias: statistics.biasMm, n: statistics.n, isKnown: match.isSameReference, said };
  }

  it("is the same for both, whichever heights they state, if a station of either has both heights", async () => {
    const forms = [ELLIPSOIDAL, GEOID, BOTH];
    for (const own of forms)
      for (const other of forms) {
        const { bias, n, isKnown, said } = await compared(own, other, ["", "58", "40"]);
        const isSaid = said?.includes("converted with the geoid undulation");
        const isConverted = own === ELLIPSOIDAL || other === ELLIPSOIDAL;
        const found = { own, other, n, isKnown, isSame: Math.abs(bias ?? 1) < 1e-9, isSaid };
        expect(found).toEqual({ own, other, n: 2, isKnown: true, isSame: true, isSaid: isConverted });
      }
  });

  it("is left out for a height above the ellipsoid that nothing converts, and says so if a reference is unknown", async () => {
    expect((await compared(ELLIPSOIDAL, GEOID, NONE)).message).toContain("height above the geoid");
    const unsure = await compared(UNKNOWN, GEOID, NONE);
    expect(unsure).toMatchObject({ bias: 0, n: 2, isKnown: false });
    expect(unsure.said).toContain("whose reference is unknown");
    expect(unsure.said).toContain("no stated reference");
  });
});
