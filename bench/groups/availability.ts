import { join } from "node:path";
import { measured } from "../harness/child.ts";
import { atMost } from "../harness/goals.ts";
import type { Figure } from "../harness/types.ts";
import type { AvailabilityArguments, AvailabilityTimes } from "../measured/availability.ts";

const STATIONS = 500;
const DAYS = 365;

export const availability: Figure = {
  name: "availability",
  about: `completeness of ${STATIONS} stations × ${DAYS} days, from the cache`,
  async *measure({ folder, scale }) {
    const args: AvailabilityArguments = {
      cachePath: join(folder, "cache-availability.db"),
      stations: scale.isQuick ? STATIONS / 10 : STATIONS,
      days: DAYS,
      runs: Math.max(scale.runs, 5),
    };
    const times = await measured<AvailabilityTimes>("availability.ts", args);
    const common = { unit: "ms", better: "less" as const, peer: null };
    const name = `availability of ${STATIONS} stations × ${DAYS} days`;
    yield {
      ...common,
      name,
      samples: times.days,
      goal: atMost(150, "ms"),
      note: "a chunk for each day, with 24 rows instead of 2,880: what is read is a count of each chunk, whatever it holds",
    };
    yield { ...common, name: `${name}, first look after opening`, samples: times.first, goal: null, note: null };
  },
};
