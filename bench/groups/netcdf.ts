import { type Pair, peer } from "../harness/alternate.ts";
import { timesPeer } from "../harness/goals.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision, type Tool } from "../harness/types.ts";
import type { Ingested } from "../measured/ingest.ts";
import { memory, type PeerRun, processorTime, withReplay } from "./race.ts";

const PEER = "requests + pandas + xarray";
const PEER_IN_TEN = "the same in ten requests";
/** The memory that it needs for ten million rows. */
const LARGE_PEER_MB = 12_000;

async function measureAt(bench: Bench, precision: Precision): Promise<Finding[]> {
  const { runs, millionDays, tenMillionDays, isQuick } = bench.scale;
  return withReplay(bench, precision, async (race) => {
    bench.say(`${precision.label}: wire → cache → NetCDF …`);
    const small = await race.run({ days: millionDays, toNetcdf: true, peerRuns: runs, tool: bench.python });
    const tool = pythonWithMemory(bench, isQuick ? 0 : LARGE_PEER_MB);
    const way = { days: tenMillionDays, toNetcdf: true, peerRuns: 1, tool };
    const large = await race.run(way);
    const inTen = { ours: large.ours, theirs: await race.peerInOurRequests(way) };
    const { label } = precision;
    return [
      ...findings(`1 M rows, ${label}`, small, { name: PEER, tool: bench.python, factor: 4, memoryFactor: null }),
      ...findings(`10 M rows, ${label}`, large, { name: PEER, tool, factor: 8, memoryFactor: 20 }),
      ...findings(`10 M rows, ${label}`, inTen, { name: PEER_IN_TEN, tool, factor: null, memoryFactor: null }),
    ];
  });
}

/** A peer that does not fit into memory would swap, and its result would mean nothing. */
function pythonWithMemory({ python }: Bench, neededMb: number): Tool {
  const freeMb = Math.round(process.availableMemory() / 1e6);
  if ("absent" in python || freeMb >= neededMb) return python;
  return { absent: `skipped: it needs about ${neededMb} MB of memory at ten million rows, and ${freeMb} MB are free` };
}

interface Other {
  readonly name: string;
  readonly tool: Tool;
  /** The required speed, and share of memory, of ours relative to the peer; null: no goal. */
  readonly factor: number | null;
  readonly memoryFactor: number | null;
}

function findings(what: string, pair: Pair<Ingested, PeerRun>, other: Other): Finding[] {
  const { ours, theirs } = pair;
  const name = `wire → cache → NetCDF-4, ${what}`;
  const seconds = theirs.map((t) => t.seconds);
  const megabytes = theirs.map((t) => t.peakMb);
  const time: Finding = {
    name,
    unit: "s",
    better: "less",
    samples: ours.map((o) => o.seconds),
    peer: peer(other.name, other.tool, seconds),
    goal: goal(other.factor),
    note: `ours is compressed and has its sidecar, the peer's file is not compressed${theirs.length === 1 ? "; the peer ran once" : ""}; ${processorTime(pair)}`,
  };
  return [time, memory(name, ours, peer(other.name, other.tool, megabytes), goal(other.memoryFactor))];
}

function goal(factor: number | null): Finding["goal"] {
  return factor === null ? null : timesPeer(factor);
}

export const netcdf: Figure = {
  name: "netcdf",
  about: "from the HTTP body over the cache to a NetCDF-4 file",
  async *measure(bench) {
    for (const precision of PRECISIONS) yield* await measureAt(bench, precision);
  },
};
