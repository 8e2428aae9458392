import { randomUUID } from "node:crypto";
import { FILES_CONNECTION_ID } from "#shared/connection.ts";
import { type AppFault, usageFault } from "#shared/fault.ts";
import { freeName } from "#shared/views/view.ts";
import type { ConnectionRecord, UserStore } from "../../store/index.ts";

const DEMO_NAME = "demo";
const CONTROL_CHARACTERS = /\p{Cc}+/gu;

/** Whether a user may give a connection this name. */
export function isName(name: string): boolean {
  return name.trim() !== "" && name !== DEMO_NAME && name.search(CONTROL_CHARACTERS) < 0;
}

export function nameFault(name: string): AppFault {
  return usageFault(`“${name}” cannot be the name of a connection: choose another one.`);
}

export function otherAddress({ name, baseUrl }: ConnectionRecord): string {
  return (
    `A connection named “${name}” to ${baseUrl} exists. Nothing was changed. Choose another name, or remove that ` +
    "connection first."
  );
}

export function serviceRecord(name: string, baseUrl: string): ConnectionRecord {
  const id = randomUUID();
  return { id, name, baseUrl, kind: "service", createdAtMs: Date.now(), cacheFile: `cache-${id}.db` };
}

export function demoRecord(): ConnectionRecord {
  return {
    id: DEMO_NAME,
    name: DEMO_NAME,
    baseUrl: "http://127.0.0.1",
    kind: "demo",
    createdAtMs: Date.now(),
    cacheFile: "cache-demo.db",
  };
}

export function filesRecord(taken: ReadonlySet<string>): ConnectionRecord {
  return fileRecord({ id: FILES_CONNECTION_ID, baseUrl: "", cacheFile: "cache-files.db" }, "Opened files", taken);
}

/** @param name partly chosen by the sender of the file, so untrusted */
export function fileRecord(
  fields: Pick<ConnectionRecord, "id" | "baseUrl" | "cacheFile">,
  name: string,
  taken: ReadonlySet<string>,
): ConnectionRecord {
  return {
    ...fields,
    name: freeName(name.replaceAll(CONTROL_CHARACTERS, " "), taken),
    kind: "file",
    createdAtMs: Date.now(),
  };
}

/** Says where the cached data of a connection came from. */
export function describeSource({ kind, name, baseUrl }: Pick<ConnectionRecord, "kind" | "name" | "baseUrl">): string {
  if (kind === "demo") return "Cache of the demo, with simulated data";
  if (kind === "file") return `Data of the session file “${name}”${baseUrl === "" ? "" : `, from ${baseUrl}`}`;
  return `Cache of ${baseUrl}`;
}

/** Explains why data from a session file is read-only and cannot be updated. */
export function fromFileSentence({ name, baseUrl }: Pick<ConnectionRecord, "name" | "baseUrl">): string {
  const where = baseUrl === "" ? "the service they came from" : baseUrl;
  return `“${name}” contains data from a file. They are read-only. To download more, connect to ${where} with your own key.`;
}

/** The fault for an attempt to change a connection from a file; null for other connections. */
export function fromFileFault(record: ConnectionRecord): AppFault | null {
  return record.kind === "file" ? usageFault(fromFileSentence(record)) : null;
}

/** Bounds of the time for which data may arrive late, ms. */
export const SETTLING = { minMs: 0, maxMs: 60 * 86_400_000 } as const;

const nameOf = (connectionId: string): string => `settlingMarginMs ${connectionId}`;

/** Returns for how long data of a connection may arrive late, as the user set it, ms; null: not set. */
export function settlingMarginOf(users: Pick<UserStore, "setting">, connectionId: string): number | null {
  const text = users.setting(nameOf(connectionId));
  const ms = text === null ? Number.NaN : Number(text);
  return ms >= SETTLING.minMs && ms <= SETTLING.maxMs ? ms : null;
}

/** @param marginMs null: the usual time */
export function setSettlingMargin(
  users: Pick<UserStore, "putSetting">,
  connectionId: string,
  marginMs: number | null,
): void {
  users.putSetting(nameOf(connectionId), marginMs === null ? null : String(marginMs));
}
