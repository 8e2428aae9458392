import { randomUUID } from "node:crypto";
import { hub, type PortHost } from "./hub.ts";
import { MessagePortMain } from "./port.ts";

const localPorts = new Map<string, MessagePortMain>();

/** The main process as a host of ports. */
export const mainHost: PortHost = {
  deliver: (id, data) => localPorts.get(id)?.receive(data),
  closed(id) {
    localPorts.get(id)?.ended();
    localPorts.delete(id);
  },
};

const transport = {
  post: hub.post,
  close(id: string) {
    localPorts.delete(id);
    hub.close(id);
  },
};

function portHere(id: string): MessagePortMain {
  const port = new MessagePortMain(id, transport);
  localPorts.set(id, port);
  return port;
}

/** Two ends in the main process. */
export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;

  constructor() {
    const [first, second] = [randomUUID(), randomUUID()];
    hub.pair(first, mainHost, second, mainHost);
    this.port1 = portHere(first);
    this.port2 = portHere(second);
  }
}

/** Creates a port whose other end is in another process. */
export function portTo(host: PortHost, thereId: string, hereId: string): MessagePortMain {
  hub.pair(thereId, host, hereId, mainHost);
  return portHere(hereId);
}

/**
 * Transfers ports to a host: `announce` sends their ids, followed by their queued messages.
 *
 * @throws if an argument is not a port, or was transferred or closed before
 */
export function passOn(ports: readonly MessagePortMain[], host: PortHost, announce: (ids: string[]) => void): void {
  const waiting = ports.map((port) => {
    if (!(port instanceof MessagePortMain)) throw new TypeError("Only ports can be transferred.");
    const queued = port.passOn();
    localPorts.delete(port.id);
    hub.move(port.id, host);
    return { id: port.id, queued };
  });
  announce(waiting.map(({ id }) => id));
  for (const { id, queued } of waiting) for (const data of queued) host.deliver(id, data);
}
