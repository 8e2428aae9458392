import { createWorld } from "#service/world/index.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";

const SHOWN_FIRST = ["Kallio", "Torsvika", "Heinäniemi"];

/** Returns the name of one of the demo's first stations with an observation in this minute; others may have an outage. */
export function demoStationAt(timeMs: number): string {
  const world = createWorld();
  // All of them have an epoch at the full minute.
  const epochMs = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
  const name = SHOWN_FIRST.find((wanted) => {
    const station = world.stations.find(({ displayName }) => displayName === wanted);
    return station !== undefined && world.explain(station, epochMs) !== "gap";
  });
  if (name === undefined) throw new Error(`No station of the demo observed at ${new Date(epochMs).toISOString()}.`);
  return name;
}
