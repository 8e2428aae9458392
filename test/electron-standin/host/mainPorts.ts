import { randomUUID } from "node:crypto";
import { hub, type Place } from "./hub.ts";
import { MessagePortMain } from "./port.ts";

const here = new Map<string, MessagePortMain>();

/** The main process as a place for ports. */
export const mainPlace: Place = {
  deliver: (id, data) => here.get(id)?.receive(data),
  closed(id) {
    here.get(id)?.ended();
    here.delete(id);
  },
};

const way = {
  post: hub.post,
  close(id: string) {
    here.delete(id);
    hub.close(id);
  },
};

function portHere(id: string): MessagePortMain {
  const port = new MessagePortMain(id, way);
  here.set(id, port);
  return port;
}

/** Two ends in the main process. */
export class MessageChannelMain {
  readonly port1: MessagePortMain;
  readonly port2: MessagePortMain;

  constructor() {
    const [first, second] = [randomUUID(), randomUUID()];
    hub.pair(first, mainPlace, second, mainPlace);
    this.port1 = portHere(first);
    this.port2 = portHere(second);
  }
}

/** A port whose other end is somewhere else. */
export function portTo(place: Place, thereId: string, hereId: string): MessagePortMain {
  hub.pair(thereId, place, hereId, mainPlace);
  return portHere(hereId);
}

/**
 * Ports on their way to a place: `announce` tells the place their ids, then comes what had waited in them.
 *
 * @throws where something else than a port that is still here is passed on
 */
export function passOn(ports: readonly MessagePortMain[], place: Place, announce: (ids: string[]) => void): void {
  const waiting = ports.map((port) => {
    if (!(port instanceof MessagePortMain)) throw new TypeError("Only ports can be transferred.");
    const queued = port.passOn();
    here.delete(port.id);
    hub.move(port.id, place);
    return { id: port.id, queued };
  });
  announce(waiting.map(({ id }) => id));
  for (const { id, queued } of waiting) for (const data of queued) place.deliver(id, data);
}
