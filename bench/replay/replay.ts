import { join } from "node:path";
import { companion } from "../harness/child.ts";
import type { Bench, Precision } from "../harness/types.ts";

/** The replay server ignores the key; the reference service behind it checks the key. */
export const BENCH_KEY = "bench-key";

export interface ReplayArguments {
  readonly folder: string;
  readonly decimals: number | null;
}

export interface ReplayHello {
  readonly url: string;
}

export interface Replay {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a replay server; its recordings remain in the folder of the run for the next server of the same precision. */
export async function startReplay(bench: Bench, precision: Precision): Promise<Replay> {
  const folder = join(bench.folder, `recordings-${precision.decimals ?? "full"}`);
  const args: ReplayArguments = { folder, decimals: precision.decimals };
  const server = await companion<ReplayHello>("replay/server.ts", args);
  return { url: server.hello.url, close: () => server.close() };
}
