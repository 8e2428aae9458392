import { InvalidArgumentError } from "commander";
import { usage } from "./exit.ts";

/** The value of a `--port` option. @throws InvalidArgumentError, which Commander tells */
export function portNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= 65_535) return number;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

/** Why a server could not listen, in a sentence; anything else comes back as it was. */
export function listenStop(reason: unknown): unknown {
  if (!(reason instanceof Error && "code" in reason)) return reason;
  if (reason.code === "EADDRINUSE") return usage("That port is taken: choose another one with --port, or --port 0.");
  if (reason.code === "EADDRNOTAVAIL") return usage("This computer does not have that address: leave --host out.");
  if (reason.code === "EACCES") return usage("That port is reserved for the system: choose one from 1024 on.");
  return reason;
}
