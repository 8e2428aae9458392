import { join } from "node:path";
import type { App } from "../app.ts";
import type { OpenConnection } from "../app/connections/connections.ts";
import { raceCancellation } from "#shared/cancellation.ts";
import { clocksSentence } from "#shared/clocks.ts";
import type { AppFault } from "#shared/fault.ts";
import type { ConnectionRecord } from "../store/types.ts";
import type { Result } from "#shared/service/error.ts";
import { dataFolder } from "../dataFolder.ts";
import { EXIT, Stop, stopFor, usage } from "./exit.ts";
import { withProgress } from "./terminal/withProgress.ts";
import { damageLines, isBack } from "./damage.ts";
import { many } from "./terminal/text.ts";
import { createFileSecrets } from "../secrets/fileSecrets.ts";
import { readKeptKey, SecretError } from "../secrets/keptKey.ts";
import { givenKey } from "./key.ts";
import { createOutput, type Output } from "./terminal/output.ts";
import { invocation, quoted, userPath } from "./options/place.ts";

/** Options that every command understands. */
export interface GlobalOptions {
  readonly connection?: string;
  readonly dataFolder?: string;
  readonly keyFile?: string;
  /** Seconds; 0 for not at all. */
  readonly waitForService?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** How long an outage of the service is waited for. */
export const DEFAULT_WAIT_SECONDS = 600;

/** What a command works with. The application is opened when it is first needed, so that `--help` costs nothing. */
export interface Shell {
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Local wall clock, UTC milliseconds. */
  now(): number;
  readonly keyFile: string | undefined;
  readonly dataFolder: string;
  app(): Promise<App>;
  /** The connection of `--connection`, or the only one there is. */
  connection(): Promise<OpenConnection>;
  /** What `--connection` names; undefined where it is left out. @throws a usage error where there is none of that name */
  named(): Promise<ConnectionRecord | undefined>;
  open(record: ConnectionRecord): Promise<OpenConnection>;
  /** A command of this program that can be copied, with the options that lead to the same connection and folder. */
  suggest(words: string): string;
  /** Says what damage was met, and left out, and did not come back by a download. @returns whether there was any */
  reportDamage(): Promise<boolean>;
  close(): Promise<void>;
}

/** Damaged days that are listed. */
const MOST_LINES = 20;

/** @param output the streams of this process where it is left out */
export function createShell(
  options: GlobalOptions,
  signal: AbortSignal,
  output = createOutput({ json: options.json ?? false, quiet: options.quiet ?? false }),
): Shell {
  const folder = options.dataFolder === undefined ? dataFolder() : userPath(options.dataFolder);
  const keyFile = options.keyFile === undefined ? undefined : userPath(options.keyFile);
  const secrets = createFileSecrets(join(folder, "keys"));
  let opened: Promise<App> | null = null;
  let connectionName = options.connection;
  const inUse = new Set<OpenConnection>();

  async function start(): Promise<App> {
    const { createApp } = await import("../app.ts");
    const patienceMs = 1_000 * (options.waitForService ?? DEFAULT_WAIT_SECONDS);
    const app = createApp({
      dataFolder: folder,
      secrets,
      patience: { jobMs: patienceMs, callMs: patienceMs },
      startDemo: async () => (await import("../demo/index.ts")).startDemo(),
    });
    if (app.folderWarning !== null) output.warn(`${app.folderWarning} --data-folder names another one.`);
    return app;
  }

  /** A key for this run, where it is the connection's own: another one may show what must not get into this cache. */
  async function useKey(app: App, record: ConnectionRecord, key: string): Promise<void> {
    const text = await secrets.get(record.id);
    const kept = text === null ? null : readKeptKey(text);
    if (kept !== null && kept.key !== key) {
      throw new Stop(
        EXIT.key,
        `The API key that was given is not the one of “${record.name}”, and may be that of another organization, whose data ` +
          `must not mix with what is cached. Replace the key with “${invocation()} connect ${record.baseUrl} --name ` +
          `${quoted(record.name)}”, choose another --name there for a connection beside this one, or unset ZENITH_API_KEY.`,
      );
    }
    app.connections.useKey(record.id, key);
  }

  const shell: Shell = {
    output,
    signal,
    now: Date.now,
    keyFile,
    dataFolder: folder,
    app: () => (opened ??= start()),
    async connection() {
      return shell.open(await chosen(await shell.app(), connectionName, shell));
    },
    named: async () => (connectionName === undefined ? undefined : chosen(await shell.app(), connectionName, shell)),
    async open(record) {
      const app = await shell.app();
      connectionName = record.name;
      try {
        const key = record.kind === "demo" ? null : await givenKey(keyFile);
        if (key !== null) await useKey(app, record, key);
      } catch (thrown) {
        // What is cached can be read and exported without a key.
        if (!(thrown instanceof SecretError)) throw thrown;
        app.connections.refuseKey(record.id, thrown.message);
      }
      const connection = await checkedAfterKill(app, await app.connections.open(record), shell);
      inUse.add(connection);
      if (connection.cache.quarantined === null) return connection;
      inUse.delete(connection);
      const anew = await rebuilt(app, connection, shell);
      inUse.add(anew);
      return anew;
    },
    suggest(words) {
      const own = [
        ...(connectionName === undefined ? [] : ["--connection", quoted(connectionName)]),
        ...(options.dataFolder === undefined ? [] : ["--data-folder", quoted(folder)]),
      ];
      return [invocation(), words, ...own].join(" ");
    },
    async reportDamage() {
      if (!opened) return false;
      const app = await opened;
      let isLost = false;
      for (const { connectionId, damages } of app.mended()) {
        const record = app.connections.find(connectionId);
        if (!record) continue;
        const { cache } = await app.connections.open(record);
        const lost = damages.filter((damage) => !isBack(cache, damage));
        if (lost.length === 0) continue;
        isLost = true;
        const lines = damageLines(cache, lost);
        output.warn(
          ["Damage was found in the cache. These days were left out, and the next fetch brings them back:"]
            .concat(lines.slice(0, MOST_LINES))
            .concat(lines.length > MOST_LINES ? [`and ${lines.length - MOST_LINES} more`] : [])
            .join("\n"),
        );
      }
      return isLost;
    },
    async close() {
      for (const { session } of inUse) {
        const disagreement = session.clockDisagreement();
        if (disagreement !== null) output.warn(clocksSentence(disagreement));
        const remark = session.catalogueRemark();
        if (remark !== null) output.warn(remark);
      }
      if (opened) await (await opened).close();
    },
  };
  return shell;
}

/** A command may end before a check beside it would: it waits for it, and a damaged cache is put aside at once. */
async function checkedAfterKill(
  app: App,
  connection: OpenConnection,
  { output, signal }: Shell,
): Promise<OpenConnection> {
  if (app.runningCheckOf(connection.record.id) === null) return connection;
  output.note("The program was not closed properly; checking the cache first …");
  const damage = await raceCancellation(connection.cache.checkedAfterKill, signal);
  if (signal.aborted) throw new Stop(EXIT.interrupted, "Stopped. The cache is checked the next time.");
  return typeof damage === "string" ? app.connections.reopen(connection) : connection;
}

/** What is sound in a cache that could not be opened goes on in a new one. */
async function rebuilt(app: App, connection: OpenConnection, { output, signal }: Shell): Promise<OpenConnection> {
  output.warn(`The cache was damaged and was moved to quarantine as ${connection.cache.quarantined}.`);
  output.note("Copying its intact data to a new one …");
  const { rows, lostRows } = orStop(
    await withProgress({ output }, (onProgress) => app.rebuildCache(connection, { onProgress, signal })),
  );
  if (signal.aborted) throw new Stop(EXIT.interrupted, "Stopped. “cache quarantine adopt” takes over the rest.");
  const lost = lostRows === null || lostRows === 0 ? "" : ` ${many(lostRows, "row")} could not be read.`;
  output.warn(`${many(rows, "row")} taken over.${lost}`);
  return app.connections.open(connection.record);
}

async function chosen(app: App, name: string | undefined, shell: Shell): Promise<ConnectionRecord> {
  if (name === "demo") return app.connections.demo();
  const all = await app.connections.list();
  const named = (word: string): ConnectionRecord => {
    const record = app.connections.find(word);
    if (record) return record;
    const known = all.map((c) => `“${c.name}”`).join(", ");
    throw usage(`There is no connection “${word}”.${known ? ` There is ${known}.` : ""} “demo” is always there.`);
  };
  if (name !== undefined) return named(name);
  const services = all.filter((c) => c.kind === "service");
  if (services.length > 1) {
    throw usage(`Say which connection with --connection: ${services.map((c) => `“${c.name}”`).join(", ")}.`);
  }
  const only = services[0] ?? all[0];
  if (only) return named(only.id);
  throw usage(
    `There is no connection yet. Add one with “${shell.suggest("connect https://gnss.example.org")}”, or try the ` +
      "embedded service with --connection demo.",
  );
}

/** The value of a result; where it failed, the command ends with its sentence. @throws Stop */
export function orStop<T>(result: Result<T, AppFault>): T {
  if (result.ok) return result.value;
  throw stopFor(result.error);
}
