import { statSync } from "node:fs";
import { join } from "node:path";
import type { OpenOptions } from "#formats/open/index.ts";
import type { App } from "../app.ts";
import type { openForeign } from "../app/files/foreign.ts";
import type { FileReader } from "../app/files/guest/reader.ts";
import { dataFolder, temporaryData } from "../dataFolder.ts";
import type { OpenConnection } from "../app/connections/connections.ts";
import { clocksSentence } from "#shared/clocks.ts";
import { type AppFault, codeOf } from "#shared/fault.ts";
import type { RebuiltCache } from "#shared/bridge/methods/cache.ts";
import type { ConnectionRecord } from "../store/index.ts";
import type { Result } from "#shared/service/error.ts";
import { EXIT, Stop, stopFor, usage } from "./exit.ts";
import { withProgress } from "./terminal/progress.ts";
import { damageLines, isRestored, lostSentence } from "./damage.ts";
import { many } from "./terminal/text.ts";
import { startLog } from "../log/index.ts";
import { createFileSecrets, parseStoredKey, SecretError } from "../secrets.ts";
import { givenKey } from "./key.ts";
import { Output } from "./terminal/output.ts";
import { invocation, shellWord, userPath } from "./options/paths.ts";

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

/** Maximum number of listed damages. */
const MAX_LISTED_DAMAGES = 20;

/** Context of a command. The application is opened when it is first needed, so that `--help` is fast. */
export class Shell {
  readonly #options: GlobalOptions;
  readonly signal: AbortSignal;
  readonly output: Output;
  readonly dataFolder: string;
  readonly keyFile: string | undefined;
  readonly #secrets;
  #opened: Promise<App> | null = null;
  #connectionName;
  #reader: FileReader | null = null;
  readonly #inUse = new Set<OpenConnection>();
  /** What became of a broken cache that this command moved to quarantine. */
  #rebuilt: RebuiltCache | null = null;

  /** A command of this program to be copied, with options for the same connection and data folder. */
  readonly suggest = (words: string): string => {
    const own = [
      ...(this.#connectionName === undefined ? [] : ["--connection", shellWord(this.#connectionName)]),
      ...(this.#options.dataFolder === undefined ? [] : ["--data-folder", shellWord(this.dataFolder)]),
    ];
    return [invocation(), words, ...own].join(" ");
  };

  /** @param output stdout and stderr of this process by default */
  constructor(
    options: GlobalOptions,
    signal: AbortSignal,
    output = new Output({
      json: options.json ?? false,
      quiet: options.quiet ?? false,
      csv: options.csv ?? false,
      columns: options.columns,
    }),
  ) {
    this.#options = options;
    this.signal = signal;
    this.output = output;
    if (options.csv && options.json) throw usage("Choose one of --csv and --json.");
    this.dataFolder = options.dataFolder === undefined ? dataFolder() : userPath(options.dataFolder);
    this.keyFile = options.keyFile === undefined ? undefined : userPath(options.keyFile);
    this.#secrets = createFileSecrets(join(this.dataFolder, "keys"));
    startLog(this.dataFolder, "command");
    this.#connectionName = options.connection;
  }

  /**
   * Opens the data folder. Only a command with `mayCreate` creates the one that --data-folder names: a mistyped one would
   * be created, and seem to have lost everything.
   */
  async app(
    { mayCreate }: { readonly mayCreate: boolean } = { mayCreate: this.#connectionName === "demo" },
  ): Promise<App> {
    if (this.#opened === null && !mayCreate && this.#options.dataFolder !== undefined && isAbsent(this.dataFolder))
      throw usage(
        `There is no folder ${this.dataFolder}: check --data-folder. To create it, add a connection with ` +
          `“${this.suggest("connect https://gnss.example.org")}”.`,
      );
    return (this.#opened ??= this.#start());
  }

  /** Opens the connection of `--connection`, or the only one. */
  async connection(): Promise<OpenConnection> {
    return this.open(await chosen(await this.app(), this.#connectionName, this));
  }

  /** The connection of `--connection`; undefined without the option. @throws a usage error if it does not exist */
  async named(): Promise<ConnectionRecord | undefined> {
    return this.#connectionName === undefined ? undefined : chosen(await this.app(), this.#connectionName, this);
  }

  async open(record: ConnectionRecord): Promise<OpenConnection> {
    const app = await this.app();
    this.#connectionName = record.name;
    try {
      const key = record.kind === "demo" ? null : await givenKey(this.keyFile);
      if (key !== null) await this.#useKey(app, record, key);
    } catch (thrown) {
      // Cached data can be read and exported without a key.
      if (!(thrown instanceof SecretError)) throw thrown;
      app.connections.refuseKey(record.id, thrown.message);
    }
    const connection = await app.connections.open(record);
    this.#inUse.add(connection);
    if (connection.cache.quarantined === null) return connection;
    this.#inUse.delete(connection);
    this.#rebuilt = await rebuild(app, connection, this);
    const replaced = await app.connections.open(record);
    this.#inUse.add(replaced);
    return replaced;
  }

  /** Returns what became of a broken cache, for a command that reports it itself; null if the cache was intact. */
  takeRebuilt(): RebuiltCache | null {
    const rebuilt = this.#rebuilt;
    this.#rebuilt = null;
    return rebuilt;
  }

  /** Opens a file of others. */
  async openFile(
    path: string,
    options: Pick<OpenOptions, "columns" | "member" | "remembered">,
  ): ReturnType<typeof openForeign> {
    const [{ FileReader: Reader }, { openForeign: openIn }] = await Promise.all([
      import("../app/files/guest/reader.ts"),
      import("../app/files/foreign.ts"),
    ]);
    this.#reader ??= new Reader({ onLost() {}, scratchFolder: () => temporaryData(this.dataFolder) });
    return openIn(this.#reader, path, { ...options, signal: this.signal });
  }

  /**
   * Warns about damaged data that was removed and not downloaded again. @returns whether there was any, or a cache was
   * rebuilt
   */
  async reportDamage(): Promise<boolean> {
    if (!this.#opened) return false;
    const app = await this.#opened;
    let isLost = this.#rebuilt !== null;
    for (const { connectionId, damages } of app.repairs()) {
      const record = app.connections.find(connectionId);
      if (!record) continue;
      const { cache } = await app.connections.open(record);
      const lost = damages.filter((damage) => !isRestored(cache, damage));
      if (lost.length === 0) continue;
      isLost = true;
      const lines = damageLines(cache, lost);
      this.output.warn(
        ["Damage was found in the cache. These days were removed, and the next fetch downloads them again:"]
          .concat(lines.slice(0, MAX_LISTED_DAMAGES))
          .concat(lines.length > MAX_LISTED_DAMAGES ? [`and ${lines.length - MAX_LISTED_DAMAGES} more`] : [])
          .join("\n"),
      );
    }
    return isLost;
  }

  async close(): Promise<void> {
    this.#reader?.end();
    for (const { session } of this.#inUse) {
      const disagreement = session.clockDisagreement();
      if (disagreement !== null) this.output.warn(clocksSentence(disagreement));
      const remark = session.catalogueRemark();
      if (remark !== null) this.output.warn(remark);
    }
    if (this.#opened) await (await this.#opened).close();
  }

  async #start(): Promise<App> {
    const { createApp } = await import("../app.ts");
    const patienceMs = 1_000 * (this.#options.waitForService ?? DEFAULT_WAIT_SECONDS);
    const app = createApp({
      dataFolder: this.dataFolder,
      secrets: this.#secrets,
      patience: { jobMs: patienceMs, callMs: patienceMs },
      startDemo: async () => (await import("../demo/index.ts")).startDemo(),
    });
    for (const warning of app.warnings) this.output.warn(warning);
    return app;
  }

  /** Uses a key for this run if it is the stored one: data of another organization must not get into this cache. */
  async #useKey(app: App, record: ConnectionRecord, key: string): Promise<void> {
    const text = await this.#secrets.get(record.id);
    const kept = text === null ? null : parseStoredKey(text);
    if (kept !== null && kept.key !== key) {
      throw new Stop(
        EXIT.key,
        `The given API key is not the one of “${record.name}”, and may belong to another organization, whose data ` +
          `must not mix with the cached data. Replace the key with “${invocation()} connect ${record.baseUrl} --name ` +
          `${shellWord(record.name)}”, choose another --name there for a connection beside this one, or unset ZENITH_API_KEY.`,
      );
    }
    app.connections.useKey(record.id, key);
  }
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
async function rebuild(app: App, connection: OpenConnection, { output, signal }: Shell): Promise<RebuiltCache> {
  output.warn(`The cache was damaged and was moved to quarantine as ${connection.cache.quarantined}.`);
  output.note("Copying its intact data to a new one …");
  const rebuilt = orStop(
    await withProgress({ output, signal }, (pace) => app.cacheMaintenance.rebuild(connection, pace)),
  );
  const { rows, lostRows } = rebuilt;
  if (signal.aborted) throw new Stop(EXIT.interrupted, "Stopped. “cache quarantine adopt” copies the rest.");
  output.warn(`${many(rows, "row")} copied.${lostRows === 0 ? "" : ` ${lostSentence(lostRows)}`}`);
  return rebuilt;
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
