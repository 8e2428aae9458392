import { join } from "node:path";
import { alternate, type Pair, peer } from "../harness/alternate.ts";
import { measured, pythonPeer } from "../harness/child.ts";
import { scalarJob } from "../harness/data.ts";
import { atLeast, atMost, timesPeer } from "../harness/goals.ts";
import { queriesOf } from "../harness/queries.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision, type Tool } from "../harness/types.ts";
import type { Ingested, IngestArguments } from "../measured/ingest.ts";
import { type Replay, startReplay } from "../replay/replay.ts";

interface PeerRun {
  readonly seconds: number;
  readonly rows: number;
  readonly peakMb: number;
}

/** What pandas and xarray need at ten million rows. */
const LARGE_PEER_MB = 12_000;

/** One way from the wire to the disk, at one size. */
interface Way {
  readonly bench: Bench;
  readonly replay: Replay;
  readonly days: number;
  readonly toNetcdf: boolean;
  readonly runs: number;
  readonly peerRuns: number;
  readonly tool: Tool;
}

async function race({ bench, replay, days, toNetcdf, runs, peerRuns, tool }: Way): Promise<Pair<Ingested, PeerRun>> {
  const spec = scalarJob(10, days);
  const args: IngestArguments = { url: replay.url, folder: bench.folder, spec, toNetcdf };
  const path = join(bench.folder, toNetcdf ? "peer.nc" : "peer.db");
  const theirs = (python: string): Promise<PeerRun> =>
    pythonPeer(python, toNetcdf ? "to_netcdf.py" : "to_sql.py", { url: replay.url, queries: queriesOf(spec), path });
  return alternate(runs, () => measured<Ingested>("ingest.ts", args), tool, theirs, peerRuns);
}

function absentFor(bench: Bench, neededMb: number): Tool {
  const freeMb = Math.round(process.availableMemory() / 1e6);
  if ("absent" in bench.python || freeMb >= neededMb) return bench.python;
  return { absent: `it needs about ${neededMb} MB of memory, and ${freeMb} MB are free` };
}

async function measureAt(bench: Bench, precision: Precision): Promise<Finding[]> {
  const replay = await startReplay(bench, precision);
  const { runs, millionDays, tenMillionDays, isQuick } = bench.scale;
  try {
    bench.say(`${precision.label}: recording the service's answers …`);
    // One run that no one counts: it makes the recordings, and the disk's cache warm.
    for (const days of [millionDays, tenMillionDays]) {
      const args: IngestArguments = {
        url: replay.url,
        folder: bench.folder,
        spec: scalarJob(10, days),
        toNetcdf: false,
      };
      await measured<Ingested>("ingest.ts", args);
    }
    const small = { bench, replay, days: millionDays, runs, peerRuns: runs, tool: bench.python };
    const large = { bench, replay, days: tenMillionDays, runs, peerRuns: 1 };
    bench.say(`${precision.label}: wire → cache …`);
    const cache = await race({ ...small, toNetcdf: false });
    const cache10 = await race({ ...large, toNetcdf: false, tool: { absent: "measured at 1 M rows only" } });
    bench.say(`${precision.label}: wire → cache → NetCDF …`);
    const netcdf = await race({ ...small, toNetcdf: true });
    const tool = absentFor(bench, isQuick ? 1_000 : LARGE_PEER_MB);
    const netcdf10 = await race({ ...large, toNetcdf: true, tool });
    return [
      ...cacheFindings(precision, "1 M", cache, bench.python, 200),
      ...cacheFindings(precision, "10 M", cache10, null, 250),
      ...netcdfFindings(precision, "1 M", netcdf, bench.python, 4),
      ...netcdfFindings(precision, "10 M", netcdf10, tool, 8),
    ];
  } finally {
    await replay.close();
  }
}

function cacheFindings(
  { label }: Precision,
  size: string,
  { ours, theirs }: Pair<Ingested, PeerRun>,
  tool: Tool | null,
  mostMb: number,
): Finding[] {
  const name = `wire → cache, ${size} rows, ${label}`;
  const rates = ours.map((o) => o.rows / o.seconds);
  const rate = { unit: "rows/s", better: "more" as const, samples: rates };
  const [first] = ours;
  const note = `${first?.rows.toLocaleString("en-US")} rows in ${first?.requests} requests`;
  const toSql =
    tool &&
    peer(
      "pandas to_sql",
      tool,
      theirs.map((t) => t.rows / t.seconds),
    );
  return [
    { name, ...rate, peer: null, goal: atLeast(1_500_000, "rows/s"), note },
    ...(toSql ? [{ name: `${name}, ratio`, ...rate, peer: toSql, goal: timesPeer(8), note: null }] : []),
    memory(
      name,
      ours,
      toSql &&
        peer(
          "pandas to_sql",
          tool!,
          theirs.map((t) => t.peakMb),
        ),
      mostMb,
    ),
  ];
}

function memory(name: string, ours: readonly Ingested[], other: Finding["peer"], mostMb: number | null): Finding {
  return {
    name: `${name}, peak memory`,
    unit: "MB",
    better: "less",
    samples: ours.map((o) => o.peakMb),
    peer: other,
    goal: mostMb === null ? null : atMost(mostMb, "MB"),
    note: null,
  };
}

function netcdfFindings(
  { label }: Precision,
  size: string,
  { ours, theirs }: Pair<Ingested, PeerRun>,
  tool: Tool,
  factor: number,
): Finding[] {
  const name = `wire → cache → NetCDF-4, ${size} rows, ${label}`;
  const peerName = "pandas + xarray";
  const time: Finding = {
    name,
    unit: "s",
    better: "less",
    samples: ours.map((o) => o.seconds),
    peer: peer(
      peerName,
      tool,
      theirs.map((t) => t.seconds),
    ),
    goal: timesPeer(factor),
    note: "absent" in tool || theirs.length === ours.length ? null : `the peer ran ${theirs.length} time`,
  };
  const space = memory(
    name,
    ours,
    peer(
      peerName,
      tool,
      theirs.map((t) => t.peakMb),
    ),
    null,
  );
  return [time, size === "10 M" ? { ...space, goal: timesPeer(20) } : space];
}

export const wire: Figure = {
  name: "wire",
  about: "from the HTTP body to the committed cache, and on to a NetCDF-4 file",
  async measure(bench) {
    const findings: Finding[] = [];
    for (const precision of PRECISIONS) findings.push(...(await measureAt(bench, precision)));
    return findings;
  },
};
