import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `.ci/run` installs newer packages than the system's, and more, into `.python`; ZENITH_PYTHON names another Python. */
export const OWN_PYTHON = join(import.meta.dirname, "../../.python/bin/python");
/** The first one that has the modules of a script runs it. */
export const PYTHONS: readonly string[] = [process.env["ZENITH_PYTHON"] ?? OWN_PYTHON, "/usr/bin/python3", "python3"];

/** How a script ended. */
export interface PythonRun {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Loads what most scripts need, which takes longer than any of them, and runs each script in a fork of itself. Reads a
 * script as JSON from a line of stdin, and writes the run as a line to stdout.
 */
const SERVER = `
import json, os, sys, tempfile, traceback
for module in ("numpy", "pandas", "xarray", "netCDF4", "h5py"):
    try: __import__(module)
    except ImportError: pass

def run(script):
    try: exec(compile(script, "<script>", "exec"), {"__name__": "__main__"})
    except SystemExit as e: return e.code or 0
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

for line in sys.stdin:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            status = run(json.loads(line))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    print(json.dumps({"status": status, "stdout": texts[0], "stderr": texts[1]}), flush=True)
`;

type Python = (script: string) => PythonRun | null;

const started = new Map<string, Python>();

/** Runs a script in a Python that is started once for all test files of a process. @returns null without this Python */
export function runInPython(program: string, script: string): PythonRun | null {
  const python = started.get(program) ?? start(program);
  started.set(program, python);
  return python(script);
}

/** Named pipes, because tests wait for the answer without giving way to others. */
function start(program: string): Python {
  const folder = mkdtempSync(join(tmpdir(), "zenith-python-"));
  const [input, output] = [join(folder, "in"), join(folder, "out")];
  if (spawnSync("mkfifo", [input, output]).status !== 0) return () => null;
  // While an end for both directions is open, no other open has to wait.
  const both = [openSync(input, "r+"), openSync(output, "r+")];
  const [toRead, toWrite] = [openSync(input, "r"), openSync(output, "w")];
  const [request, answer] = [openSync(input, "w"), openSync(output, "r")];
  for (const fd of both) closeSync(fd);
  const child = spawn(program, ["-c", SERVER], { stdio: [toRead, toWrite, "ignore"] });
  child.on("error", () => {});
  child.unref();
  for (const fd of [toRead, toWrite]) closeSync(fd);
  rmSync(folder, { recursive: true });
  return (script) => {
    const line = lineOf(answer, () => writeSync(request, `${JSON.stringify(script)}\n`));
    return line === null ? null : (JSON.parse(line) as PythonRun);
  };
}

/** @returns null if the other end is closed */
function lineOf(fd: number, ask: () => void): string | null {
  const pieces: Buffer[] = [];
  try {
    ask();
  } catch {
    return null;
  }
  for (;;) {
    const piece = Buffer.alloc(65_536);
    const count = readSync(fd, piece);
    if (count === 0) return null;
    pieces.push(piece.subarray(0, count));
    if (piece[count - 1] === 10) return Buffer.concat(pieces).toString();
  }
}
