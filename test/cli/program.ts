import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "../support/atEnd.ts";
import { builtApp } from "../support/build.ts";
import { DESKTOP_MAIN } from "../support/endurance.ts";
import { type Ended, runHere } from "./runHere.ts";
import { expectDocument, expectLine } from "./jsonForms.ts";

export type { Ended } from "./runHere.ts";

/** The shipped bundle, which starts in a quarter of the time of the sources. */
export const SCRIPT = join(builtApp().main, "zenith.js");

const PACKED = process.env[DESKTOP_MAIN];
const STANDIN = new URL("../electron-standin/register.ts", import.meta.url).href;
/** Starts the program as a process: the bundle in Node, in `npm run endurance` the packed program under the stand-in. */
export const COMMAND: readonly [program: string, ...words: string[]] =
  PACKED === undefined
    ? [process.execPath, "--disable-warning=ExperimentalWarning", SCRIPT]
    : [
        process.execPath,
        "--disable-warning=ExperimentalWarning",
        "--unhandled-rejections=warn-with-error-code",
        "--import",
        STANDIN,
        PACKED,
        "--cli",
        "--",
      ];
/** Node caches compiled code, which halves the time of later starts. */
export const FASTER = { NODE_COMPILE_CACHE: join(tmpdir(), "zenith-cli-tests-compiled") };

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Starts a process, as the options below do. */
  readonly asProcess?: boolean;
  /** Closes the reading end of stdout after this many characters, as `head` does. */
  readonly closeStdoutAfter?: number;
  /** An open file for this stream instead of a pipe. */
  readonly stdout?: number;
  readonly stderr?: number;
  /** Umask in octal. */
  readonly umask?: string;
  readonly onStart?: (child: ChildProcess) => void;
  /** Called with all of stderr so far whenever the program writes to it. */
  readonly onStderr?: (soFar: string, child: ChildProcess) => void;
}

/** A data folder and working directory for the program, removed after the test or file. */
export interface Home {
  readonly folder: string;
  /**
   * Runs the program without a terminal: its bundle in this process, which takes a tenth of the time, or as a process if
   * the options require one.
   */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Runs with `--json` and returns the document. Throws if the exit code differs, or if what it prints does not match its
   * schema. */
  json<T extends object = Record<string, unknown>>(
    args: readonly string[],
    code?: number,
    options?: RunOptions,
  ): Promise<T>;
}

export function makeHome(): Home {
  const folder = mkdtempSync(join(tmpdir(), "zenith cli ü "));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const run: Home["run"] = (args, options = {}) => {
    const { env: more, cwd = folder, ...ofProcess } = options;
    if (Object.keys(ofProcess).length === 0)
      return runHere([SCRIPT, ...args], cwd, { ZENITH_HOME: join(folder, "home"), ...more });
    const { ZENITH_API_KEY: _, ...env } = process.env;
    const words = [...COMMAND, ...args];
    const [program, ...rest] =
      options.umask === undefined ? words : ["/bin/sh", "-c", `umask ${options.umask} && exec "$0" "$@"`, ...words];
    const child = spawn(program!, rest, {
      cwd,
      env: { ...env, ...FASTER, ZENITH_HOME: join(folder, "home"), ...more },
      stdio: ["ignore", options.stdout ?? "pipe", options.stderr ?? "pipe"],
    });
    options.onStart?.(child);
    let stdout = "";
    let stderr = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.length >= (options.closeStdoutAfter ?? Infinity)) child.stdout?.destroy();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      options.onStderr?.(stderr, child);
    });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, stdout, stderr }));
    });
  };
  return {
    folder,
    run,
    async json(args, code = 0, options) {
      const ended = await run([...args, "--json"], options);
      if (ended.code !== code) throw new Error(`exit ${ended.code} instead of ${code}\n${ended.stderr}`);
      for (const line of ended.stderr.split("\n").filter((l) => l !== "")) expectLine(JSON.parse(line));
      const document: unknown = JSON.parse(ended.stdout);
      expectDocument(document);
      return document as never;
    },
  };
}
