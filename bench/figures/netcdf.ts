import { type Pair, peer } from "../harness/alternate.ts";
import { timesPeer } from "../harness/goals.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision, type Tool } from "../harness/types.ts";
import type { Ingested } from "../measured/ingest.ts";
import { memory, type PeerRun, processorTime, withReplay } from "./race.ts";

const PEER = "requests + pandas + xarray";
/** What it needs at ten million rows, asked in the same ten requests as ours; in one request it would be twice as much. */
const LARGE_PEER_MB = 6_000;

async function measureAt(bench: Bench, precision: Precision): Promise<Finding[]> {
  const { runs, millionDays, tenMillionDays, isQuick } = bench.scale;
  return withReplay(bench, precision, async (race) => {
    bench.say(`${precision.label}: wire → cache → NetCDF …`);
    const small = await race({ days: millionDays, toNetcdf: true, peerRuns: runs, tool: bench.python });
    const tool = pythonWithMemory(bench, isQuick ? 0 : LARGE_PEER_MB);
    const large = await race({ days: tenMillionDays, toNetcdf: true, peerRuns: 1, tool });
    return [...findings(precision, "1 M", small, bench.python), ...findings(precision, "10 M", large, tool)];
  });
}

/** A peer that does not fit into memory would swap, and tell nothing. */
function pythonWithMemory({ python }: Bench, neededMb: number): Tool {
  const freeMb = Math.round(process.availableMemory() / 1e6);
  if ("absent" in python || freeMb >= neededMb) return python;
  return { absent: `skipped: it needs about ${neededMb} MB of memory at ten million rows, and ${freeMb} MB are free` };
}

function findings({ label }: Precision, size: "1 M" | "10 M", pair: Pair<Ingested, PeerRun>, tool: Tool): Finding[] {
  const { ours, theirs } = pair;
  const name = `wire → cache → NetCDF-4, ${size} rows, ${label}`;
  const time: Finding = {
    name,
    unit: "s",
    better: "less",
    samples: ours.map((o) => o.seconds),
    peer: peer(
      PEER,
      tool,
      theirs.map((t) => t.seconds),
    ),
    goal: timesPeer(size === "1 M" ? 4 : 8),
    note: `ours is compressed and has its sidecar, the peer's file is not compressed${size === "1 M" ? "" : "; the peer ran once"}; ${processorTime(pair)}`,
  };
  const memories = peer(
    PEER,
    tool,
    theirs.map((t) => t.peakMb),
  );
  return [time, memory(name, ours, memories, size === "1 M" ? null : timesPeer(20))];
}

export const netcdf: Figure = {
  name: "netcdf",
  about: "from the HTTP body over the cache to a NetCDF-4 file",
  async *measure(bench) {
    for (const precision of PRECISIONS) yield* await measureAt(bench, precision);
  },
};
