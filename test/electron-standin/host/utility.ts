import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { constants } from "node:os";
import type { ForkOptions } from "electron";
import { hub, type PortHost } from "./hub.ts";
import { passOn } from "./mainPorts.ts";
import type { Wire } from "./messages.ts";
import type { MessagePortMain } from "./port.ts";

const REGISTER = new URL("../utility/register.ts", import.meta.url).href;
const running = new Set<UtilityProcess>();
/** Chromium kills a process that does not end in time. */
const KILL_AFTER_MS = 2_000;

/** A Node process with `process.parentPort` that ends with this one. */
export class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  readonly #portHost: PortHost;
  readonly serviceName: string;
  #isKilled = false;

  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super();
    this.serviceName = options.serviceName ?? "Node Utility Process";
    const stdio = options.stdio ?? "inherit";
    // Electron has a separate switch for flags of V8.
    const flags = (options.execArgv ?? []).flatMap((flag) =>
      flag.startsWith("--js-flags=") ? flag.slice("--js-flags=".length).split(" ") : [flag],
    );
    this.#child = fork(modulePath, [...args], {
      env: { ...(options.env ?? process.env) },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      // Electron only warns about unhandled rejections.
      execArgv: ["--unhandled-rejections=warn", "--import", REGISTER, ...flags],
      serialization: "advanced",
      stdio: (Array.isArray(stdio)
        ? ["ignore", ...stdio.slice(1), "ipc"]
        : ["ignore", stdio, stdio, "ipc"]) as StdioOptions,
    });
    this.#portHost = {
      deliver: (id, data) => this.#send({ t: "port", id, data }),
      closed: (id) => this.#send({ t: "close", id }),
    };
    running.add(this);
    this.#child.on("spawn", () => this.emit("spawn"));
    this.#child.on("message", (message: Wire) => this.#receive(message));
    // As in Electron, a process that cannot start emits an exit without an error.
    this.#child.on("error", () => this.emit("exit", 1));
    // Not at "close", because other processes may have inherited the streams.
    this.#child.on("exit", (code, signal) => {
      running.delete(this);
      hub.closeAll(this.#portHost);
      // After `kill`, any signal counts as a regular exit.
      const isOrdered = this.#isKilled && (signal === "SIGTERM" || signal === "SIGKILL");
      this.emit("exit", isOrdered ? 0 : (code ?? (signal ? constants.signals[signal] : 1)));
      // Electron discards output that was not read yet.
      for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.removeAllListeners();
    });
  }

  static running(): readonly UtilityProcess[] {
    return [...running];
  }

  get pid(): number | undefined {
    return this.#child.exitCode === null && this.#child.signalCode === null ? this.#child.pid : undefined;
  }

  get stdout() {
    return this.#child.stdout;
  }

  get stderr() {
    return this.#child.stderr;
  }

  postMessage(data: unknown, transfer: readonly MessagePortMain[] = []): void {
    passOn(transfer, this.#portHost, (ports) => this.#send({ t: "message", data, ports }));
  }

  kill(): boolean {
    this.#isKilled ||= this.#child.kill("SIGTERM");
    setTimeout(() => this.#child.kill("SIGKILL"), KILL_AFTER_MS).unref();
    return this.#isKilled;
  }

  /** Fails like V8, for example when it is out of memory. */
  fail(): void {
    this.emit("error", "FatalError", "v8::ToLocalChecked", "{}");
    this.crash();
  }

  /** Crashes like an error in native code. */
  crash(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: Wire): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #receive(message: Wire): void {
    if (message.t === "message") this.emit("message", message.data);
    else if (message.t === "port") hub.post(message.id, message.data);
    else hub.close(message.id);
  }
}

export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess =>
    new UtilityProcess(modulePath, args, options),
};
