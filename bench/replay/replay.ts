import { join } from "node:path";
import { companion } from "../harness/child.ts";
import type { Bench, Precision } from "../harness/types.ts";

/** The replay server does not look at it; the reference service behind it does. */
export const BENCH_KEY = "bench-key";

/** Answers how many requests the server has seen; asking is none. */
export const REQUESTS_PATH = "/requests";

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

/** Starts a replay server; its recordings stay in the folder of the run for the next one of the same precision. */
export async function startReplay(bench: Bench, precision: Precision): Promise<Replay> {
  const folder = join(bench.folder, `recordings-${precision.decimals ?? "full"}`);
  const args: ReplayArguments = { folder, decimals: precision.decimals };
  const server = await companion<ReplayHello>("replay/server.ts", args);
  return { url: server.hello.url, close: () => server.close() };
}

/** Requests that the replay server has seen so far. */
export async function requestsSeen(url: string): Promise<number> {
  return Number(await (await fetch(url + REQUESTS_PATH)).text());
}
