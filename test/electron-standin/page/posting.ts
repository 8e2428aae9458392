type Port = InstanceType<typeof MessagePort>;

/** The ids of the ports in the next message; null for a port of the page itself. */
interface Announced {
  readonly source: "announced ports";
  readonly ids: readonly (string | null)[];
}

export interface Posted {
  readonly id: string;
  readonly data: unknown;
}

interface Page {
  addEventListener(name: "message", listener: (event: Message) => void): void;
  dispatchEvent(event: unknown): boolean;
  postMessage(message: unknown, origin: string, transfer?: readonly Port[]): void;
  readonly CustomEvent: new (name: string, options: { detail: Posted }) => unknown;
}

interface Message {
  readonly data: unknown;
  readonly ports: readonly Port[];
  stopImmediatePropagation(): void;
}

/**
 * Makes the ports of a page send at once, as Blink's do: `MessagePort::postMessage` hands the message to its Mojo pipe
 * before it returns (`connector_->Accept`, blink/renderer/core/messaging/message_port.cc), also while the page unloads.
 * A port between two worlds of a page would deliver in a later task, which a page that unloads does not have; an event is
 * delivered within the call. Its source runs in the page's own world, so it refers to nothing outside.
 *
 * @param eventName the event that carries a message to the isolated world
 */
export function postAtOnce(eventName: string): void {
  const page = globalThis as unknown as Page;
  const { prototype } = globalThis.MessagePort;
  const { postMessage: post, close } = prototype;
  const { CustomEvent } = page;
  const dispatch = page.dispatchEvent.bind(page);
  const idOf = new WeakMap<Port, string>();
  let announced: Announced | null = null;

  page.addEventListener("message", (event) => {
    const data = event.data as Announced | null;
    if (data?.source === "announced ports") {
      announced = data;
      event.stopImmediatePropagation();
      return;
    }
    for (const [at, port] of event.ports.entries()) {
      const id = announced?.ids[at];
      if (id) idOf.set(port, id);
    }
    announced = null;
  });

  prototype.postMessage = function postMessage(message: unknown, transfer?: unknown) {
    const id = idOf.get(this);
    if (id === undefined) return post.call(this, message, transfer as Parameters<typeof post>[1]);
    dispatch(new CustomEvent(eventName, { detail: { id, data: structuredClone(message) } }));
  };
  prototype.close = function closePort() {
    idOf.delete(this);
    close.call(this);
  };
}

/**
 * Sends the ids of ports to the page's own world, each before the message that carries the port. Its source runs in the
 * isolated world, so it refers to nothing outside.
 *
 * @returns a function that sets the id of a port
 */
export function announcePorts(): (port: Port, id: string) => void {
  const world = globalThis as unknown as Page;
  const post = world.postMessage.bind(world);
  const idOf = new WeakMap<Port, string>();
  world.postMessage = (message, origin, transfer = []) => {
    const ids = transfer.map((port) => idOf.get(port) ?? null);
    post({ source: "announced ports", ids } satisfies Announced, origin);
    post(message, origin, transfer);
  };
  return (port, id) => void idOf.set(port, id);
}
