import { join } from "node:path";
import { companion } from "../harness/child.ts";
import type { Bench, Precision } from "../harness/types.ts";

/** The replay server does not look at it; the reference service behind it does. */
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
  /** Requests served so far. */
  requests(): Promise<number>;
  close(): Promise<void>;
}

/** Starts a replay server; its recordings stay in the folder of the run for the next one of the same precision. */
export async function startReplay(bench: Bench, precision: Precision): Promise<Replay> {
  const folder = join(bench.folder, `recordings-${precision.decimals ?? "full"}`);
  const args: ReplayArguments = { folder, decimals: precision.decimals };
  const server = await companion<ReplayHello>("replay/server.ts", args);
  return { url: server.hello.url, requests: () => server.ask<number>("requests"), close: () => server.close() };
}
