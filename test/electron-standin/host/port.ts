import { EventEmitter } from "node:events";

/** Sends messages of a port to other processes. */
export interface PortTransport {
  post(id: string, data: unknown): void;
  close(id: string): void;
}

/** An end of a port pair. As in Electron, messages are queued until `start`, and only ports can be transferred. */
export class MessagePortMain extends EventEmitter {
  readonly id: string;
  readonly #transport: PortTransport;
  #queue: unknown[] | null = [];
  #state: "open" | "transferred" | "closed" = "open";

  constructor(id: string, transport: PortTransport) {
    super();
    this.id = id;
    this.#transport = transport;
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (transfer.length > 0) throw new TypeError("The stand-in does not support sending ports through ports.");
    if (this.#state === "open") this.#transport.post(this.id, structuredClone(message));
  }

  start(): void {
    const queued = this.#queue ?? [];
    this.#queue = null;
    for (const data of queued) this.receive(data);
  }

  close(): void {
    if (this.#state !== "open") return;
    this.#transport.close(this.id);
    this.ended();
  }

  /** Delivers an incoming message. */
  receive(data: unknown): void {
    if (this.#queue) this.#queue.push(data);
    else if (this.#state !== "transferred") setImmediate(() => this.emit("message", { data, ports: [] }));
  }

  /** Marks the pair as closed. Earlier messages are still delivered. */
  ended(): void {
    if (this.#state !== "open") return;
    this.#state = "closed";
    setImmediate(() => this.emit("close"));
  }

  /** Prepares the transfer to another process. @returns queued messages */
  passOn(): unknown[] {
    if (this.#state !== "open") throw new TypeError("Port at index 0 is already neutered.");
    this.#state = "transferred";
    const queued = this.#queue ?? [];
    this.#queue = null;
    return queued;
  }
}
