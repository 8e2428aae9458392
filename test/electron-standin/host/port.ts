import { EventEmitter } from "node:events";

/** The way of a port's messages out of the process it is in. */
export interface PortWay {
  post(id: string, data: unknown): void;
  close(id: string): void;
}

/** An end of a pair. Messages wait until `start`, as in Electron. Only ports can be transferred: there is no second argument for buffers. */
export class MessagePortMain extends EventEmitter {
  readonly id: string;
  readonly #way: PortWay;
  #queue: unknown[] | null = [];
  #state: "open" | "passed on" | "closed" = "open";

  constructor(id: string, way: PortWay) {
    super();
    this.id = id;
    this.#way = way;
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new TypeError("The stand-in passes no ports through ports.");
    if (this.#state === "open") this.#way.post(this.id, structuredClone(message));
  }

  start(): void {
    const queued = this.#queue ?? [];
    this.#queue = null;
    for (const data of queued) this.receive(data);
  }

  close(): void {
    if (this.#state !== "open") return;
    this.#way.close(this.id);
    this.ended();
  }

  /** For the way in only. */
  receive(data: unknown): void {
    if (this.#queue) this.#queue.push(data);
    else if (this.#state !== "passed on") setImmediate(() => this.emit("message", { data, ports: [] }));
  }

  /** The pair is no more. What came before is still delivered. */
  ended(): void {
    if (this.#state !== "open") return;
    this.#state = "closed";
    setImmediate(() => this.emit("close"));
  }

  /** The port goes elsewhere. @returns what had come for it */
  passOn(): unknown[] {
    if (this.#state !== "open") throw new TypeError("Port at index 0 is already neutered.");
    this.#state = "passed on";
    const queued = this.#queue ?? [];
    this.#queue = null;
    return queued;
  }
}
