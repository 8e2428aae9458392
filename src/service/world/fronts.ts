import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { RADIANS } from "./geometry.ts";
import { type Key, keyOf, smoothStep, unit } from "./random.ts";
import type { Site } from "./site.ts";

/** Each slot of this length has one front per region, somewhere in its middle. */
const SLOT_MS = 4 * DAY_MS;

/** A band of moist air behind a straight line that crosses a region at constant speed. */
interface Front {
  /** When the line passes the centre of the region. */
  readonly crossingMs: number;
  /** Its direction of movement, as a unit vector. */
  readonly eastward: number;
  readonly northward: number;
  readonly msPerKm: number;
  /** 1 for an average front. */
  readonly strength: number;
  /** From the first rise to full moisture, and how long the moist band lasts. */
  readonly riseMs: number;
  readonly lastMs: number;
}

/** The effect of the fronts at one place and moment. */
export interface FrontEffect {
  /** 0 outside the moist band, up to the strength of the front within. */
  moisture: number;
  /** 0 far away, up to the strength of the front at its line, where the pressure is lowest. */
  trough: number;
}

export function slotOf(timeMs: number): number {
  return Math.floor(timeMs / SLOT_MS);
}

/** The front of one slot of four days. */
function frontOf(site: Pick<Site, "region" | "regionKey">, slot: number): Front {
  return makeFront(site.regionKey, site.region.driftDeg, slot);
}

function makeFront(regionKey: Key, driftDeg: number, slot: number): Front {
  const key = keyOf(regionKey, "front", slot);
  const heading = (driftDeg + 70 * (unit(key, 0) - 0.5)) * RADIANS;
  const metresPerSecond = 9 + 9 * unit(key, 1);
  return {
    crossingMs: (slot + 0.25 + 0.5 * unit(key, 2)) * SLOT_MS,
    eastward: Math.sin(heading),
    northward: Math.cos(heading),
    msPerKm: 1e6 / metresPerSecond,
    strength: 0.5 + unit(key, 3),
    riseMs: (1.5 + 2 * unit(key, 4)) * HOUR_MS,
    lastMs: (6 + 10 * unit(key, 5)) * HOUR_MS,
  };
}

/** When the line of the front passes a place. */
function arrivalMs(front: Front, site: Pick<Site, "eastKm" | "northKm">): number {
  return front.crossingMs + (site.eastKm * front.eastward + site.northKm * front.northward) * front.msPerKm;
}

/** The fronts with an effect during one slot; kept while time advances, so that they are computed once per slot. */
export interface FrontWindow {
  slot: number;
  fronts: readonly { readonly front: Front; readonly arrivalMs: number }[];
}

/**
 * Adds up the fronts around a moment. A front has an effect from 12 hours before to 30 hours after it arrives, and arrives
 * within 48 hours of crossing the centre, so only the current slot and its neighbours matter.
 */
export function frontEffect(site: Site, timeMs: number, window: FrontWindow, effect: FrontEffect): void {
  const slot = slotOf(timeMs);
  if (slot !== window.slot) {
    window.slot = slot;
    window.fronts = [slot - 1, slot, slot + 1].map((k) => {
      const front = frontOf(site, k);
      return { front, arrivalMs: arrivalMs(front, site) };
    });
  }
  effect.moisture = 0;
  effect.trough = 0;
  for (const { front, arrivalMs: arrives } of window.fronts) {
    const sinceMs = timeMs - arrives;
    if (sinceMs < -12 * HOUR_MS || sinceMs > 30 * HOUR_MS) continue;
    const rise = smoothStep(sinceMs, -front.riseMs / 2, front.riseMs / 2);
    const fall = smoothStep(sinceMs, front.lastMs, front.lastMs + 8 * HOUR_MS);
    effect.moisture += front.strength * (rise - fall);
    const away = Math.abs(sinceMs) / (12 * HOUR_MS);
    if (away < 1) effect.trough += front.strength * (1 - away * away) ** 2;
  }
}
