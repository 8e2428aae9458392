import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { constants } from "node:os";
import { EXIT } from "./exit.ts";

/** npm and the terminal may both forward the same Ctrl+C: another signal within this time is not a second one. */
const SAME_INTERRUPT_MS = 300;

/**
 * Turns signals that end a program into an abort: the first stops cleanly, a second ends the program at once. Committed
 * data is safe either way. These are Ctrl+C, SIGTERM, Ctrl+Break on Windows, and the end of the terminal or of the SSH
 * session (SIGHUP; on Windows, closing the console).
 */
export function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  let firstMs: number | null = null;
  const interrupted = (): void => {
    const nowMs = performance.now();
    if (firstMs === null) {
      firstMs = nowMs;
      controller.abort();
    } else if (nowMs - firstMs > SAME_INTERRUPT_MS) {
      process.exit(EXIT.interrupted);
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGBREAK"] as const) process.on(signal, interrupted);
  process.on("SIGHUP", isHangupIgnored() ? () => {} : interrupted);
  return controller.signal;
}

/**
 * Whether this program was started with SIGHUP ignored, as nohup does, so that it outlives its session. Node.js restores
 * the default at its start, so only the environment tells: shells name the started program in `_`, and the parent, where
 * /proc shows it, passed on the signals that it ignores itself.
 */
export function isHangupIgnored(
  env: NodeJS.ProcessEnv = process.env,
  statusOfParent = readStatus(process.ppid),
): boolean {
  if (basename(env["_"] ?? "") === "nohup") return true;
  const [, ignored = "0"] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(statusOfParent) ?? [];
  return ((BigInt(`0x${ignored}`) >> BigInt(constants.signals.SIGHUP - 1)) & 1n) === 1n;
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}
