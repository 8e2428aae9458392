import { join } from "node:path";
import { measured } from "../harness/child.ts";
import { satelliteJob, scalarJob } from "../harness/data.ts";
import { filledCache } from "../harness/filled.ts";
import { withFolder } from "../harness/folder.ts";
import { atMost } from "../harness/goals.ts";
import { type Bench, type Figure, type Finding, PRECISIONS, type Precision } from "../harness/types.ts";
import type { Filled } from "../measured/fill.ts";
import type { ReadTimes } from "../measured/read.ts";
import type { SqlRowsArguments, SqlRowsFigures } from "../measured/sqlRows.ts";
import { startReplay } from "../replay/replay.ts";

/** Columns of a plot. */
const COLUMNS = 2_000;
const PEER = "SQL row per epoch";

async function measureAt(bench: Bench, precision: Precision, folder: string): Promise<Finding[]> {
  const { runs, yearDays } = bench.scale;
  const spec = scalarJob(10, yearDays);
  const { path, filled } = await filledCache(bench, precision);
  bench.say(`${precision.label}: reading, and the same from one SQL row per epoch …`);
  const ours = await measured<ReadTimes>("read.ts", { cachePath: path, spec, columns: COLUMNS, runs });
  const sqlArgs: SqlRowsArguments = {
    path: join(folder, `rows-${precision.decimals ?? "full"}.db`),
    spec,
    decimals: precision.decimals,
    columns: COLUMNS,
    runs,
  };
  const sql = await measured<SqlRowsFigures>("sqlRows.ts", sqlArgs);
  const reads = (
    [
      ["read", "one variable of a station-year, read", 40],
      ["decimate", "station-year decimated to 2,000 columns", 5],
      ["decimateAll", "ten station-years decimated", 50],
    ] as const
  ).map(([key, name, most]): Finding => ({
    name: `store: ${name}, ${precision.label}`,
    unit: "ms",
    better: "less",
    samples: ours[key],
    peer: { name: key === "read" ? PEER : `${PEER}, GROUP BY`, samples: sql[key] },
    goal: atMost(most, "ms"),
    note: null,
  }));
  return [...(filled ? written(precision, filled, sql) : []), ...reads];
}

function written({ label, decimals }: Precision, ours: Filled, sql: Filled): Finding[] {
  return [
    {
      name: `store: taking rows in, ${label}`,
      unit: "epochs/s",
      better: "more",
      samples: ours.rowsPerSecond,
      peer: { name: PEER, samples: sql.rowsPerSecond },
      goal: null,
      note: `${ours.rows.toLocaleString("en-US")} epochs of ten stations; the answer of a station is one transaction`,
    },
    {
      name: `store: three variables, ${label}`,
      unit: "bytes/epoch",
      better: "less",
      samples: [ours.bytes / ours.rows],
      peer: { name: PEER, samples: [sql.bytes / sql.rows] },
      goal: decimals === null ? null : atMost(4, "bytes/epoch"),
      note: "the whole file, pyramids and catalogue included; pwv has a value every 5 minutes, as the service sends it",
    },
  ];
}

async function satellites(bench: Bench, folder: string): Promise<Finding> {
  bench.say("satellites of a station-month …");
  const [precision] = PRECISIONS;
  const replay = await startReplay(bench, precision!);
  const spec = satelliteJob(bench.scale.satelliteDays);
  const args = { url: replay.url, cachePath: join(folder, "satellites.db"), spec, decimals: 1 };
  try {
    const { rows, bytes, rowsPerSecond } = await measured<Filled>("fill.ts", args);
    return {
      name: "store: satellite variables of a station-month",
      unit: "bytes/epoch",
      better: "less",
      samples: [bytes / rows],
      peer: null,
      goal: atMost(100, "bytes/epoch"),
      note: `${rows.toLocaleString("en-US")} epochs, taken in at ${Math.round(rowsPerSecond[0]!).toLocaleString("en-US")} epochs/s`,
    };
  } finally {
    await replay.close();
  }
}

export const store: Figure = {
  name: "store",
  about: "the cache file: its size, taking rows in, reading, decimating",
  async *measure(bench) {
    for (const precision of PRECISIONS) {
      yield* await withFolder(bench.folder, (folder) => measureAt(bench, precision, folder));
    }
    yield await withFolder(bench.folder, (folder) => satellites(bench, folder));
  },
};
