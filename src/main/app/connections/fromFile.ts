import { type AppFault, usageFault } from "#shared/fault.ts";
import type { ConnectionRecord } from "../../store/types.ts";

/** Why nothing is fetched, changed or added to data that came in a file. */
export function fromFileSentence({ name, baseUrl }: Pick<ConnectionRecord, "name" | "baseUrl">): string {
  const where = baseUrl === "" ? "the service they came from" : baseUrl;
  return (
    `“${name}” holds data that came in a file: they are read only, and nothing is sent for them. To fetch more, connect ` +
    `to ${where} with a key of your own.`
  );
}

/** The fault of whoever wants more of a connection than to read it; null where it is no file. */
export function fromFileFault(record: ConnectionRecord): AppFault | null {
  return record.kind === "file" ? usageFault(fromFileSentence(record)) : null;
}
