import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  alignInward,
  alignOutward,
  ceilToInterval,
  containsMoment,
  epochsIn,
  floorToInterval,
  intervalsIn,
  isAligned,
} from "#shared/time/range.ts";
import { beginningIn } from "#shared/time/intervals.ts";

const steps = fc.constantFrom(1, 7, 30, 45, 900, 3_600, 7_000, 86_400, 100_000);
const moment = fc.integer({ min: -4e11, max: 4e12 });
const near = fc.integer({ min: -400_000, max: 400_000 });

describe("intervals", () => {
  it("start at whole multiples since 1970, also before 1970", () => {
    fc.assert(
      fc.property(moment, steps, (m, seconds) => {
        const floor = floorToInterval(m, seconds);
        const ceil = ceilToInterval(m, seconds);
        expect(isAligned(floor, seconds) && isAligned(ceil, seconds)).toBe(true);
        expect(floor <= m && m < floor + seconds * 1000).toBe(true);
        expect(ceil).toBe(isAligned(m, seconds) ? m : floor + seconds * 1000);
      }),
      { numRuns: 500 },
    );
  });

  it("do not align to negative zero", () => {
    expect(Object.is(ceilToInterval(-1, 30), 0)).toBe(true);
    expect(Object.is(alignOutward({ startMs: -60_000, endMs: -1 }, 30).endMs, 0)).toBe(true);
  });

  it("align a range outward to the fewest, and inward to the most, whole intervals", () => {
    fc.assert(
      fc.property(moment, fc.nat(1e9), steps, (startMs, length, seconds) => {
        const range = { startMs, endMs: startMs + length };
        const out = alignOutward(range, seconds);
        expect(out.startMs <= startMs && out.endMs >= range.endMs).toBe(true);
        expect(startMs - out.startMs < seconds * 1000 && out.endMs - range.endMs < seconds * 1000).toBe(true);
        const inside = alignInward(range, seconds);
        expect(inside.startMs >= startMs && inside.endMs >= inside.startMs).toBe(true);
        expect(isAligned(inside.startMs, seconds) && isAligned(inside.endMs, seconds)).toBe(true);
        expect(inside.endMs <= range.endMs || inside.endMs === inside.startMs).toBe(true);
        expect(length - (inside.endMs - inside.startMs)).toBeLessThan(2 * seconds * 1000);
      }),
      { numRuns: 500 },
    );
  });

  it("that begin in a range are all in the range that they make up, and no others", () => {
    fc.assert(
      fc.property(
        moment,
        fc.integer({ min: 1, max: 400_000_000 }),
        steps,
        near,
        (startMs, lengthMs, seconds, offset) => {
          const range = { startMs, endMs: startMs + lengthMs };
          const whole = beginningIn(range, { intervalSeconds: seconds });
          for (const edge of [range.startMs, range.endMs]) {
            const begins = floorToInterval(edge + offset, seconds);
            expect(containsMoment(whole, begins)).toBe(containsMoment(range, begins));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("are counted as in a scan of every second", () => {
    fc.assert(
      fc.property(
        near,
        fc.integer({ min: 1, max: 400_000 }),
        fc.constantFrom(1, 7, 30, 45),
        (startMs, length, seconds) => {
          const range = { startMs, endMs: startMs + length };
          let epochs = 0;
          const touched = new Set<number>();
          for (let m = Math.floor(startMs / 1000) * 1000; m < range.endMs; m += 1000) {
            if (m % (seconds * 1000) === 0 && m >= startMs) epochs++;
            touched.add(Math.floor(Math.max(m, startMs) / (seconds * 1000)));
          }
          expect(epochsIn(range, seconds)).toBe(epochs);
          expect(intervalsIn(range, seconds)).toBe(touched.size);
        },
      ),
      { numRuns: 300 },
    );
  });
});
