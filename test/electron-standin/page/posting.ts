type Port = InstanceType<typeof MessagePort>;

/** An announcement: the names of the ports of the message that follows; null for one without a name. */
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
 * What a page posts is on its way to the other process when `postMessage` returns (Blink writes it to the pipe at once), even
 * while the page unloads. Here a message would wait for another task of the page, so that it goes by an event instead,
 * which the isolated world hears at once. Stands on its own: it runs in the page's own world.
 *
 * @param say name of the event
 */
export function postAtOnce(say: string): void {
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
    dispatch(new CustomEvent(say, { detail: { id, data: structuredClone(message) } }));
  };
  prototype.close = function closePort() {
    idOf.delete(this);
    close.call(this);
  };
}

/**
 * Tells the page's own world the names of the ports that go to it. Stands on its own: it runs in the isolated world.
 *
 * @returns gives a port its name
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
