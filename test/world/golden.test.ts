import { expect, test } from "vitest";
import { createWorld } from "#service/world/index.ts";
import { named, rowsOf } from "./support.ts";

/**
 * The first values of seed 1. Caches with data of the reference service stay valid only as long as these values do not
 * change. After a deliberate change of the physics, write the new values here. */
test.each([
  ["KIRK00FIN", "9f432e1c-49a0-4a36-b6a6-4e0406dd9565", [2323, 2323.1], [1.3, 1.3], 5.8],
  ["SAGI01JPN", "2d22f784-2c57-424a-98fe-34a313b91313", [2400.4, 2400.3], [2.1, 2], 16.9],
  ["OMBU00ARG", "75815d57-09c7-458e-ad95-c9e8b1b24b20", [2557.4, 2557.4], [2, 2], 38.6],
])("%s has the same values on every machine", (mountpoint, id, ztd, sigma, pwv) => {
  const world = createWorld({ seed: 1 });
  const station = named(world, mountpoint);
  const startMs = Date.UTC(2026, 0, 15, 12);
  const rows = rowsOf(world, station, { startMs, endMs: startMs + 60_000, decimals: 1 }).slice(0, 2);
  expect(station.id).toBe(id);
  expect(rows.map((r) => r.ztd)).toEqual(ztd);
  expect(rows.map((r) => r.sigma)).toEqual(sigma);
  expect(rows[0]!.pwv).toBe(pwv);
});

test("satellites of seed 1 have the same values on every machine", () => {
  const world = createWorld({ seed: 1 });
  const texts = world.satellites(named(world, "KIRK00FIN"), Date.UTC(2026, 0, 15, 12));
  expect(texts.prn).toBe(
    "G04,G05,G09,G13,G16,G20,G23,G24,R01,R08,R09,R10,R11,R17,R23,R24,E01,E08,E09,E10,E16,E22,E23,E24,C06,C13,C14,C15,C19,C20,C21",
  );
  expect(texts.el.slice(0, 29)).toBe("18.5,10.6,38.8,36.0,27.5,79.6");
  expect(texts.az.slice(0, 29)).toBe("116.7,315.7,248.2,144.2,298.2");
  expect(texts.snr.slice(0, 29)).toBe("38.9/33.6,35.4/35.0,45.1/40.7");
});
