import { join } from "node:path";
import { alternate, type Pair } from "../harness/alternate.ts";
import { measured, pythonPeer } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { oneQueryOf, queriesOf } from "../harness/queries.ts";
import { median } from "../harness/statistics.ts";
import type { Bench, Finding, Precision, Tool } from "../harness/types.ts";
import type { Ingested, IngestArguments } from "../measured/ingest.ts";
import { drain } from "../replay/record.ts";
import { type Replay, startReplay } from "../replay/replay.ts";

export interface PeerRun {
  readonly seconds: number;
  /** Of the whole program, including its start. */
  readonly processorSeconds: number;
  readonly rows: number;
  readonly peakMb: number;
}

/** One way from the wire to the disk, at one size. */
export interface Way {
  readonly days: number;
  readonly toNetcdf: boolean;
  readonly peerRuns: number;
  readonly tool: Tool;
}

export interface Race {
  /** Measures us and the peer in turn; the peer requests everything at once. */
  run(way: Way): Promise<Pair<Ingested, PeerRun>>;
  /** Measures the peer alone and once, with the requests that we send. */
  peerInOurRequests(way: Way): Promise<PeerRun[]>;
}

/** A peer that reads less than this share of our rows does other work. */
const LEAST_SHARE = 0.95;

/** Runs the work with a replay server that has its recordings, and with functions to run us against a peer on it. */
export async function withReplay<T>(bench: Bench, precision: Precision, work: (race: Race) => Promise<T>): Promise<T> {
  const replay = await startReplay(bench, precision);
  const { millionDays, tenMillionDays, runs } = bench.scale;
  try {
    bench.say(`${precision.label}: recording the service's answers, and a run that does not count …`);
    for (const days of [millionDays, tenMillionDays]) await ingest(bench, replay, days, false);
    const theirs = (python: string, { toNetcdf }: Way, queries: readonly object[]): Promise<PeerRun> => {
      const path = join(bench.folder, toNetcdf ? "peer.nc" : "peer.db");
      return pythonPeer(python, toNetcdf ? "to_netcdf.py" : "to_sql.py", { url: replay.url, queries, path });
    };
    return await work({
      async run(way) {
        const { days, toNetcdf, tool, peerRuns } = way;
        const queries = [oneQueryOf(scalarJob(10, days))];
        // Records the response before it is measured.
        if (peerRuns > 0) await drain(replay.url, queries[0]!);
        const ours = () => ingest(bench, replay, days, toNetcdf);
        const pair = await alternate(runs, ours, { tool, theirs: (python) => theirs(python, way, queries), peerRuns });
        // Ours also count the answers to questions about gaps.
        const rows = (pair.ours[0]?.rows ?? 0) * LEAST_SHARE;
        const peerRows = pair.theirs.map((one) => one.rows);
        if (peerRows.some((one) => one < rows)) throw new Error(`The peer read only ${peerRows.join(", ")} rows.`);
        return pair;
      },
      peerInOurRequests: async (way) =>
        "absent" in way.tool ? [] : [await theirs(way.tool.path, way, queriesOf(scalarJob(10, way.days)))],
    });
  } finally {
    await replay.close();
  }
}

function ingest(bench: Bench, replay: Replay, days: number, toNetcdf: boolean): Promise<Ingested> {
  const args: IngestArguments = { url: replay.url, folder: bench.folder, spec: scalarJob(10, days), toNetcdf };
  return measured<Ingested>("ingest.ts", args);
}

/** The finding on the peak memory of the runs. */
export function memory(name: string, ours: readonly Ingested[], peer: Finding["peer"], goal: Finding["goal"]): Finding {
  return {
    name: `${name}, peak memory`,
    unit: "MB",
    better: "less",
    samples: ours.map((o) => o.peakMb),
    peer,
    goal,
    note: null,
  };
}

/** Processor time as text: on a busy machine it is more reliable than elapsed time. */
export function processorTime({ ours, theirs }: Pair<Ingested, PeerRun>): string {
  const peers = theirs.length > 0 ? `, the peer ${processorSeconds(theirs)} s with its start` : "";
  return `${processorSeconds(ours)} s of processor time${peers}`;
}

function processorSeconds(runs: readonly { readonly processorSeconds: number }[]): string {
  return median(runs.map((r) => r.processorSeconds)).toFixed(2);
}
