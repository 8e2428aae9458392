import { failure, success } from "#shared/service/error.ts";
import type { Parsed } from "./command.ts";
import { usage } from "./exit.ts";

export function parsePort(text: string): Parsed<number> {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return number <= 65_535 ? success(number) : failure("A port is a number from 0 to 65535.");
}

/** Converts an error of `listen` to a sentence; returns other errors unchanged. */
export function listenStop(reason: unknown): unknown {
  if (!(reason instanceof Error && "code" in reason)) return reason;
  if (reason.code === "EADDRINUSE") return usage("This port is in use. Choose another one with --port, or --port 0.");
  if (reason.code === "EADDRNOTAVAIL") return usage("This computer does not have this address. Leave out --host.");
  if (reason.code === "EACCES") return usage("This port is reserved for the system. Choose 1024 or higher.");
  return reason;
}
