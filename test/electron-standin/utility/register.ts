import { EventEmitter } from "node:events";
import { MessagePortMain } from "../host/port.ts";
import type { Wire } from "../host/messages.ts";

// Runs before the code of a utility process and adds `process.parentPort`, like Electron.

const ports = new Map<string, MessagePortMain>();
const send = (message: Wire): void => void process.send?.(message);
const transport = {
  post: (id: string, data: unknown) => send({ t: "port", id, data }),
  close(id: string) {
    ports.delete(id);
    send({ t: "close", id });
  },
};

class ParentPort extends EventEmitter {
  /** Messages received before there is a listener. */
  #early: object[] | null = [];

  constructor() {
    super();
    this.on("newListener", (name) => {
      if (name !== "message" || !this.#early) return;
      const early = this.#early;
      this.#early = null;
      setImmediate(() => early.forEach((event) => this.emit("message", event)));
    });
  }

  postMessage(data: unknown): void {
    send({ t: "message", data, ports: [] });
  }

  receive(data: unknown, ids: readonly string[]): void {
    const event = { data, ports: ids.map(portHere) };
    if (this.#early) this.#early.push(event);
    else this.emit("message", event);
  }
}

function portHere(id: string): MessagePortMain {
  const port = new MessagePortMain(id, transport);
  ports.set(id, port);
  return port;
}

const parentPort = new ParentPort();
Object.defineProperty(process, "parentPort", { value: parentPort });
Object.defineProperty(process, "type", { value: "utility" });

process.on("message", (message: Wire) => {
  if (message.t === "message") parentPort.receive(message.data, message.ports);
  else if (message.t === "port") ports.get(message.id)?.receive(message.data);
  else {
    ports.get(message.id)?.ended();
    ports.delete(message.id);
  }
});
// Ends with the application.
process.on("disconnect", () => process.exit());
