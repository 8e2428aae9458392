import { read } from "./command.ts";
import { usage } from "./exit.ts";
import { numberIn } from "./options/parse.ts";

/** @param byDefault as the help names it */
export function portWord(byDefault: number) {
  const meaning = `0 selects a free one (default: ${byDefault})`;
  return { "--port <number>": read(meaning, numberIn(0, 65_535, { isWhole: true })) };
}

/** Converts an error of `listen` to a sentence; returns other errors unchanged. */
export function listenStop(reason: unknown): unknown {
  if (!(reason instanceof Error && "code" in reason)) return reason;
  if (reason.code === "EADDRINUSE") return usage("This port is in use. Choose another one with --port, or --port 0.");
  if (reason.code === "EADDRNOTAVAIL") return usage("This computer does not have this address. Leave out --host.");
  if (reason.code === "EACCES") return usage("This port is reserved for the system. Choose 1024 or higher.");
  return reason;
}
