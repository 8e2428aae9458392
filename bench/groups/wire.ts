import { type Pair, peer } from "../harness/alternate.ts";
import { atLeast, atMost, timesPeer } from "../harness/goals.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision } from "../harness/types.ts";
import type { Ingested } from "../measured/ingest.ts";
import { memory, type PeerRun, processorTime, withReplay } from "./race.ts";

const PEER = "pandas to_sql";

async function measureAt(bench: Bench, precision: Precision): Promise<Finding[]> {
  const { runs, millionDays, tenMillionDays } = bench.scale;
  return withReplay(bench, precision, async (race) => {
    bench.say(`${precision.label}: wire → cache …`);
    const small = await race.run({ days: millionDays, toNetcdf: false, peerRuns: runs, tool: bench.python });
    const large = await race.run({ days: tenMillionDays, toNetcdf: false, peerRuns: 0, tool: bench.python });
    return [
      ...alone(precision, "1 M", small, 200),
      ...besidePeer(bench, precision, small),
      ...alone(precision, "10 M", large, 250),
    ];
  });
}

function alone({ label }: Precision, size: string, pair: Pair<Ingested, PeerRun>, mostMb: number): Finding[] {
  const name = `wire → cache, ${size} rows, ${label}`;
  const { ours } = pair;
  const [first] = ours;
  const rate: Finding = {
    name,
    unit: "rows/s",
    better: "more",
    samples: ours.map((o) => o.rows / o.seconds),
    peer: null,
    goal: atLeast(1_500_000, "rows/s"),
    note: `${first?.rows.toLocaleString("en-US")} rows of ten stations in ${first?.requests} requests, from a server that replays recorded answers; ${processorTime({ ours, theirs: [] })}`,
  };
  return [rate, memory(name, ours, null, atMost(mostMb, "MB"))];
}

function besidePeer(bench: Bench, { label }: Precision, pair: Pair<Ingested, PeerRun>): Finding[] {
  const { ours, theirs } = pair;
  const name = `wire → SQLite, 1 M rows, ${label}`;
  const memories = peer(
    PEER,
    bench.python,
    theirs.map((t) => t.peakMb),
  );
  const time: Finding = {
    name,
    unit: "s",
    better: "less",
    samples: seconds(ours),
    peer: peer(PEER, bench.python, seconds(theirs)),
    goal: timesPeer(8),
    note: processorTime(pair),
  };
  return [time, memory(name, ours, memories, null)];
}

export const wire: Figure = {
  name: "wire",
  about: "from the HTTP body to the committed cache",
  async *measure(bench) {
    for (const precision of PRECISIONS) yield* await measureAt(bench, precision);
  },
};

function seconds(runs: readonly { readonly seconds: number }[]): number[] {
  return runs.map((r) => r.seconds);
}
