import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { constants } from "node:os";
import type { ForkOptions } from "electron";
import { hub, type Place } from "./hub.ts";
import { passOn } from "./mainPorts.ts";
import type { Wire } from "./messages.ts";
import type { MessagePortMain } from "./port.ts";

const REGISTER = new URL("../utility/register.ts", import.meta.url).href;
const running = new Set<UtilityProcess>();
/** Chromium ends a process that does not end when it is asked to. */
const MOST_ENDING_MS = 2_000;

/** A Node process with `process.parentPort`, which ends with this one. */
export class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;
  readonly #place: Place;
  readonly serviceName: string;
  #isKilled = false;

  constructor(modulePath: string, args: readonly string[], options: ForkOptions) {
    super();
    this.serviceName = options.serviceName ?? "Node Utility Process";
    const stdio = options.stdio ?? "inherit";
    // Electron takes V8's flags in a switch of its own.
    const flags = (options.execArgv ?? []).flatMap((flag) =>
      flag.startsWith("--js-flags=") ? flag.slice("--js-flags=".length).split(" ") : [flag],
    );
    this.#child = fork(modulePath, [...args], {
      env: { ...(options.env ?? process.env) },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      // Electron only warns of a rejection that nobody handles.
      execArgv: ["--unhandled-rejections=warn", "--import", REGISTER, ...flags],
      serialization: "advanced",
      stdio: (Array.isArray(stdio)
        ? ["ignore", ...stdio.slice(1), "ipc"]
        : ["ignore", stdio, stdio, "ipc"]) as StdioOptions,
    });
    this.#place = {
      deliver: (id, data) => this.#send({ t: "port", id, data }),
      closed: (id) => this.#send({ t: "close", id }),
    };
    running.add(this);
    this.#child.on("spawn", () => this.emit("spawn"));
    this.#child.on("message", (message: Wire) => this.#hear(message));
    // As with Electron there is an exit and no error where the process does not start.
    this.#child.on("error", () => this.emit("exit", 1));
    // Not at "close": what was inherited may be held open by others.
    this.#child.on("exit", (code, signal) => {
      running.delete(this);
      hub.closeAll(this.#place);
      // Whatever ends a process that was asked to end, counts as an end in order.
      const isOrdered = this.#isKilled && (signal === "SIGTERM" || signal === "SIGKILL");
      this.emit("exit", isOrdered ? 0 : (code ?? (signal ? constants.signals[signal] : 1)));
      // Electron lets go of what was printed last and not read yet.
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
    passOn(transfer, this.#place, (ports) => this.#send({ t: "message", data, ports }));
  }

  kill(): boolean {
    this.#isKilled ||= this.#child.kill("SIGTERM");
    setTimeout(() => this.#child.kill("SIGKILL"), MOST_ENDING_MS).unref();
    return this.#isKilled;
  }

  /** As V8 ends it, out of memory for one. */
  fail(): void {
    this.emit("error", "FatalError", "v8::ToLocalChecked", "{}");
    this.crash();
  }

  /** As a fault in native code would end it. */
  crash(): void {
    this.#child.kill("SIGKILL");
  }

  #send(message: Wire): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  #hear(message: Wire): void {
    if (message.t === "message") this.emit("message", message.data);
    else if (message.t === "port") hub.post(message.id, message.data);
    else hub.close(message.id);
  }
}

export const utilityProcess = {
  fork: (modulePath: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess =>
    new UtilityProcess(modulePath, args, options),
};
