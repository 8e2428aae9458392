import { join } from "node:path";
import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { runCommandLine } from "#main/cli/run.ts";
import { builtApp } from "../support/build.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One command at a time, because each has the working directory, environment and streams of the process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of the bundled program in this process.
 *
 * @param words the path of the program and its arguments
 */
export function runHere(words: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const run = last.then(() => runAlone(words, cwd, env));
  last = run.catch(() => {});
  return run;
}

async function runAlone(
  [script, ...args]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const bundle = pathToFileURL(join(builtApp().main, "cli.js")).href;
  const program = (await import(bundle)) as { readonly runCommandLine: typeof runCommandLine };
  const stdout = sink();
  const stderr = sink();
  const before = { cwd: process.cwd(), env: { ...process.env }, argv: process.argv };
  const streams = [
    ["stdout", Object.getOwnPropertyDescriptor(process, "stdout")!],
    ["stderr", Object.getOwnPropertyDescriptor(process, "stderr")!],
  ] as const;
  try {
    process.chdir(cwd);
    delete process.env["ZENITH_API_KEY"];
    Object.assign(process.env, env);
    process.argv = [process.execPath, script!, ...args];
    Object.defineProperty(process, "stdout", { value: stdout.stream, configurable: true });
    Object.defineProperty(process, "stderr", { value: stderr.stream, configurable: true });
    const code = await program.runCommandLine(args, () => new AbortController().signal);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    for (const [name, descriptor] of streams) Object.defineProperty(process, name, descriptor);
    process.argv = before.argv;
    for (const name of [...Object.keys(env), "ZENITH_API_KEY"]) {
      if (before.env[name] === undefined) delete process.env[name];
      else process.env[name] = before.env[name];
    }
    process.chdir(before.cwd);
  }
}

/** A stream that is no terminal and keeps what is written. */
function sink(): { readonly stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
