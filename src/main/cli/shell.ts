import { statSync } from "node:fs";
import { join } from "node:path";
import type { OpenOptions } from "#formats/open/index.ts";
import type { App } from "../app.ts";
import type { openForeign } from "../app/files/foreign.ts";
import type { FileReader } from "../app/files/guest/reader.ts";
import { temporaryData } from "../app/storage/temporaryData.ts";
import type { OpenConnection } from "../app/connections/connections.ts";
import { clocksSentence } from "#shared/clocks.ts";
import { type AppFault, codeOf } from "#shared/fault.ts";
import type { ConnectionRecord } from "../store/user/types.ts";
import type { Result } from "#shared/service/error.ts";
import { dataFolder } from "../dataFolder.ts";
import { EXIT, Stop, stopFor, usage } from "./exit.ts";
import { withProgress } from "./terminal/progress.ts";
import { damageLines, isRestored } from "./damage.ts";
import { many } from "./terminal/text.ts";
import { startLog } from "../log/index.ts";
import { createFileSecrets, parseStoredKey, SecretError } from "../secrets.ts";
import { givenKey } from "./key.ts";
import { createOutput, type Output } from "./terminal/output.ts";
import { invocation, quoted, userPath } from "./options/options.ts";

/** Options of every command. */
export interface GlobalOptions {
  readonly connection?: string;
  readonly dataFolder?: string;
  readonly keyFile?: string;
  /** Seconds; 0: do not wait. */
  readonly waitForService?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly csv?: boolean;
  readonly columns?: readonly string[];
}

/** How long to wait for an outage of the service. */
const DEFAULT_WAIT_SECONDS = 600;

/** Context of a command. The application is opened when it is first needed, so that `--help` is fast. */
export interface Shell {
  readonly output: Output;
  readonly signal: AbortSignal;
  /** Local wall clock, UTC milliseconds. */
  now(): number;
  readonly keyFile: string | undefined;
  readonly dataFolder: string;
  /**
   * Opens the data folder. Only a command with `mayCreate` creates the one that --data-folder names: a mistyped one would
   * be created, and seem to have lost everything.
   */
  app(options?: { readonly mayCreate: boolean }): Promise<App>;
  /** Opens the connection of `--connection`, or the only one. */
  connection(): Promise<OpenConnection>;
  /** The connection of `--connection`; undefined without the option. @throws a usage error if it does not exist */
  named(): Promise<ConnectionRecord | undefined>;
  open(record: ConnectionRecord): Promise<OpenConnection>;
  /** Opens a file of others. */
  openFile(
    path: string,
    options: Pick<OpenOptions, "columns" | "member" | "remembered">,
  ): ReturnType<typeof openForeign>;
  /** A command of this program to be copied, with options for the same connection and data folder. */
  suggest(words: string): string;
  /** Warns about damaged data that was removed and not downloaded again. @returns whether there was any */
  reportDamage(): Promise<boolean>;
  close(): Promise<void>;
}

/** Maximum number of listed damages. */
const MAX_LISTED_DAMAGES = 20;

/** @param output stdout and stderr of this process by default */
export function createShell(
  options: GlobalOptions,
  signal: AbortSignal,
  output = createOutput({
    json: options.json ?? false,
    quiet: options.quiet ?? false,
    csv: options.csv ?? false,
    columns: options.columns,
  }),
): Shell {
  if (options.csv && options.json) throw usage("Choose one of --csv and --json.");
  const folder = options.dataFolder === undefined ? dataFolder() : userPath(options.dataFolder);
  const keyFile = options.keyFile === undefined ? undefined : userPath(options.keyFile);
  const secrets = createFileSecrets(join(folder, "keys"));
  startLog(folder, "command");
  let opened: Promise<App> | null = null;
  let connectionName = options.connection;
  let reader: FileReader | null = null;
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
    for (const warning of app.warnings) output.warn(warning);
    return app;
  }

  /** Uses a key for this run if it is the stored one: data of another organization must not get into this cache. */
  async function useKey(app: App, record: ConnectionRecord, key: string): Promise<void> {
    const text = await secrets.get(record.id);
    const kept = text === null ? null : parseStoredKey(text);
    if (kept !== null && kept.key !== key) {
      throw new Stop(
        EXIT.key,
        `The given API key is not the one of “${record.name}”, and may belong to another organization, whose data ` +
          `must not mix with the cached data. Replace the key with “${invocation()} connect ${record.baseUrl} --name ` +
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
    async app({ mayCreate } = { mayCreate: connectionName === "demo" }) {
      if (opened === null && !mayCreate && options.dataFolder !== undefined && isAbsent(folder))
        throw usage(
          `There is no folder ${folder}: check --data-folder. To create it, add a connection with ` +
            `“${shell.suggest("connect https://gnss.example.org")}”.`,
        );
      return (opened ??= start());
    },
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
        // Cached data can be read and exported without a key.
        if (!(thrown instanceof SecretError)) throw thrown;
        app.connections.refuseKey(record.id, thrown.message);
      }
      const connection = await app.connections.open(record);
      inUse.add(connection);
      if (connection.cache.quarantined === null) return connection;
      inUse.delete(connection);
      const rebuilt = await rebuild(app, connection, shell);
      inUse.add(rebuilt);
      return rebuilt;
    },
    async openFile(path, options) {
      const [{ createFileReader }, { openForeign: openIn }] = await Promise.all([
        import("../app/files/guest/reader.ts"),
        import("../app/files/foreign.ts"),
      ]);
      reader ??= createFileReader({ onLost() {}, scratchFolder: () => temporaryData(folder) });
      return openIn(reader, path, { ...options, signal });
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
      for (const { connectionId, damages } of app.repairs()) {
        const record = app.connections.find(connectionId);
        if (!record) continue;
        const { cache } = await app.connections.open(record);
        const lost = damages.filter((damage) => !isRestored(cache, damage));
        if (lost.length === 0) continue;
        isLost = true;
        const lines = damageLines(cache, lost);
        output.warn(
          ["Damage was found in the cache. These days were removed, and the next fetch downloads them again:"]
            .concat(lines.slice(0, MAX_LISTED_DAMAGES))
            .concat(lines.length > MAX_LISTED_DAMAGES ? [`and ${lines.length - MAX_LISTED_DAMAGES} more`] : [])
            .join("\n"),
        );
      }
      return isLost;
    },
    async close() {
      reader?.end();
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

function isAbsent(folder: string): boolean {
  try {
    statSync(folder);
    return false;
  } catch (thrown) {
    return codeOf(thrown) === "ENOENT";
  }
}

/** Copies the intact data of a quarantined cache to a new one. */
async function rebuild(app: App, connection: OpenConnection, { output, signal }: Shell): Promise<OpenConnection> {
  output.warn(`The cache was damaged and was moved to quarantine as ${connection.cache.quarantined}.`);
  output.note("Copying its intact data to a new one …");
  const { rows, lostRows } = orStop(
    await withProgress({ output, signal }, (pace) => app.cacheMaintenance.rebuild(connection, pace)),
  );
  if (signal.aborted) throw new Stop(EXIT.interrupted, "Stopped. “cache quarantine adopt” copies the rest.");
  const lost = lostRows === null || lostRows === 0 ? "" : ` ${many(lostRows, "row")} could not be read.`;
  output.warn(`${many(rows, "row")} copied.${lost}`);
  return app.connections.open(connection.record);
}

async function chosen(app: App, name: string | undefined, shell: Shell): Promise<ConnectionRecord> {
  if (name === "demo") return app.connections.demo();
  const all = await app.connections.list();
  const named = (word: string): ConnectionRecord => {
    const record = app.connections.find(word);
    if (record) return record;
    const known = new Set([...all.map((c) => c.name), "demo"]);
    throw usage(`There is no connection “${word}”. Available: ${[...known].map((one) => `“${one}”`).join(", ")}.`);
  };
  if (name !== undefined) return named(name);
  const services = all.filter((c) => c.kind === "service");
  if (services.length > 1) {
    throw usage(`Choose a connection with --connection: ${services.map((c) => `“${c.name}”`).join(", ")}.`);
  }
  const only = services[0] ?? all[0];
  if (only) return named(only.id);
  throw usage(
    `There is no connection yet. Add one with “${shell.suggest("connect https://gnss.example.org")}”, or try the ` +
      "embedded service with --connection demo.",
  );
}

/** Returns the value of a result. @throws Stop if it failed */
export function orStop<T>(result: Result<T, AppFault>): T {
  if (result.ok) return result.value;
  throw stopFor(result.error);
}
