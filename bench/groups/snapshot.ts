import { join } from "node:path";
import { measured } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { atMost } from "../harness/goals.ts";
import type { Figure } from "../harness/types.ts";
import type { SnapshotArguments, SnapshotTimes } from "../measured/snapshot.ts";

const STATIONS = 500;
const DAYS = 2;

export const snapshot: Figure = {
  name: "snapshot",
  about: `what ${STATIONS} stations showed at a moment, from the cache`,
  async *measure({ folder, scale }) {
    const args: SnapshotArguments = {
      cachePath: join(folder, "cache-snapshot.db"),
      spec: scalarJob(10, DAYS),
      stations: scale.isQuick ? STATIONS / 10 : STATIONS,
      runs: Math.max(scale.runs, 5),
      decimals: 1,
    };
    const times = await measured<SnapshotTimes>("snapshot.ts", args);
    const common = { unit: "ms", better: "less" as const, peer: null, note: null };
    const name = `snapshot of ${STATIONS} stations`;
    yield { ...common, name: `${name}, ZTD`, samples: times.one, goal: atMost(50, "ms") };
    yield { ...common, name: `${name}, ZTD with its uncertainty and PWV`, samples: times.all, goal: null };
    yield { ...common, name: `${name}, 16 moments of a day to play`, samples: times.frames, goal: null };
  },
};
