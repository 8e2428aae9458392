import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const bench = join(import.meta.dirname, "..");
/** The last output of a failed program explains its failure. */
const LAST_CHARACTERS = 2_000;

/**
 * Runs a script of `bench/measured` in a separate process and returns its report, so that its memory is measured alone,
 * and one measurement does not affect the next.
 */
export async function measured<T>(script: string, args: object): Promise<T> {
  const child = fork(join(bench, "measured", script), [JSON.stringify(args)], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let report: T | undefined;
  child.on("message", (message) => {
    report = message as T;
  });
  const errorOutput = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0 || report === undefined) throw new Error(`${script} failed: ${lastOf(errorOutput())}`);
  return report;
}

/** A script of `bench` that runs until it is closed. Its first message says how to connect to it. */
interface Companion<T> {
  readonly hello: T;
  close(): Promise<void>;
}

export async function companion<T>(script: string, args: object): Promise<Companion<T>> {
  const child = fork(join(bench, script), [JSON.stringify(args)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const errorOutput = collect(child);
  const closed = once(child, "close");
  const hello = await Promise.race([
    once(child, "message").then(([message]) => message as T),
    closed.then(() => Promise.reject(new Error(`${script} failed: ${lastOf(errorOutput())}`))),
  ]);
  return {
    hello,
    async close() {
      child.kill();
      await closed;
    },
  };
}

/** Runs a Python script of `bench/peers`; the last line of its output is its report as JSON. */
export async function pythonPeer<T>(python: string, script: string, args: object): Promise<T> {
  const output = await run(python, ["-B", join(bench, "peers", script), JSON.stringify(args)]);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "") as T;
}

/** @throws with the error output of the program if it fails */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const errorOutput = collect(child);
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} failed: ${lastOf(errorOutput())}`);
  return output;
}

function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = lastOf(text + chunk);
  });
  return () => text;
}

function lastOf(text: string): string {
  return text.slice(-LAST_CHARACTERS).trim();
}
