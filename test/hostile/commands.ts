import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asStop } from "#main/cli/exit.ts";
import { Output } from "#main/cli/terminal/output.ts";
import { createProgram } from "#main/cli/program.ts";
import { Shell, type GlobalOptions } from "#main/cli/shell.ts";
import type { Run } from "#main/cli/command.ts";
import { builtApp } from "../support/build.ts";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/** Runs a command of the command line with a data folder. */
export type Zenith = (dataFolder: string, words: readonly string[]) => Promise<Ended>;

/** The bundled program, as in the package: it starts in a fraction of the time of its sources. */
let program: string | null = null;
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), "zenith-cli-tests-compiled") };

/** Runs the command as a process. */
export const asProcess: Zenith = (dataFolder, words) => inEnvironment({})(dataFolder, words);

/** Runs the command as a process with additional environment variables. */
export const inEnvironment =
  (more: Environment): Zenith =>
  (dataFolder, words) => {
    const { ZENITH_API_KEY: _, ...env } = process.env;
    program ??= join(builtApp().main, "zenith.js");
    const args = ["--disable-warning=ExperimentalWarning", program, "--data-folder", dataFolder, ...words];
    const child = spawn(process.execPath, args, {
      env: { ...env, ...COMPILED, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  };

/** Runs the command in this process, which saves the second of starting another. */
export const inProcess: Zenith = async (dataFolder, words) => {
  const stdout = sink();
  const stderr = sink();
  let code = 0;
  const run: Run = async (action) => {
    const options = program.opts<GlobalOptions>();
    const output = new Output({ json: false, quiet: false, csv: options.csv ?? false }, stdout.stream, stderr.stream);
    const shell = new Shell(options, new AbortController().signal, output);
    try {
      code = (await action(shell)) ?? 0;
    } finally {
      await shell.close();
    }
  };
  const program = createProgram(run);
  try {
    await program.parseAsync(["--data-folder", dataFolder, ...words], { from: "user" });
  } catch (thrown) {
    const stop = asStop(thrown);
    code = stop.exitCode;
    stderr.stream.write(`${stop.message}\n`);
  }
  return { code, stdout: stdout.text(), stderr: stderr.text() };
};

/** A stream that stores its output. */
function sink(): { readonly stream: NodeJS.WriteStream; text(): string } {
  let text = "";
  const stream = { isTTY: false, write: (piece: string) => ((text += piece), true) };
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}
