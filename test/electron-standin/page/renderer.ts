import type { FromPage, ToPage } from "../host/messages.ts";
import type { Clone } from "./clone.ts";
import type { Posted } from "./posting.ts";

type Port = InstanceType<typeof MessagePort>;

interface Setup {
  /** Function with which the isolated world sends messages to the main process. */
  readonly binding: string;
  /** Function of the isolated world that the main process calls with pieces of text. */
  readonly receiver: string;
  /** Event with which the main world of the page posts to a port. */
  readonly posted: string;
}

interface PageEvent {
  readonly detail: Posted;
  readonly defaultPrevented: boolean;
  readonly target: { closest(selector: string): object | null };
}

type Listener = (event: object, ...args: unknown[]) => void;

/** Creates `ipcRenderer` in the isolated world of a page. Refers to nothing outside, because its source runs there. */
export function createIpcRenderer(
  { binding, receiver, posted }: Setup,
  clone: Clone,
  name: (port: Port, id: string) => void,
): object {
  const world = globalThis as unknown as Record<string, (text: string) => void> & {
    readonly location: { readonly href: string };
    addEventListener(name: string, listener: (event: PageEvent) => void): void;
    getSelection(): { toString(): string };
  };
  const toMain = world[binding]!;
  const listeners = new Map<string, { listener: Listener; once: boolean }[]>();
  const invoked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const wires = new Map<string, Port>();
  let lastId = 0;
  let pieces = "";

  const send = (message: FromPage): void => toMain(clone.encode(message));

  /** Relays messages between a port and the main process. */
  function wire(id: string, port: Port): void {
    wires.set(id, port);
    port.addEventListener("message", (event) => send({ t: "port", id, data: event.data }));
    port.addEventListener("close", () => {
      if (wires.delete(id)) send({ t: "close", id });
    });
    port.start();
  }

  function portFor(id: string): Port {
    const { port1, port2 } = new MessageChannel();
    wire(id, port1);
    name(port2, id);
    return port2;
  }

  function passOn(ports: readonly Port[]): [string, string][] {
    return ports.map((port) => {
      const id = crypto.randomUUID();
      wire(`${id}/page`, port);
      return [`${id}/page`, `${id}/main`];
    });
  }

  function receive(message: ToPage): void {
    if (message.t === "port") wires.get(message.id)?.postMessage(message.data);
    else if (message.t === "close") {
      const port = wires.get(message.id);
      wires.delete(message.id);
      port?.close();
    } else if (message.t === "reply") {
      const waiting = invoked.get(message.id);
      invoked.delete(message.id);
      if (message.error === null) waiting?.resolve(message.value);
      else waiting?.reject(new Error(message.error));
    } else {
      const event = { sender: ipcRenderer, ports: message.ports.map(portFor) };
      const listening = listeners.get(message.channel) ?? [];
      listeners.set(
        message.channel,
        listening.filter(({ once }) => !once),
      );
      for (const { listener } of listening) listener(event, ...message.args);
    }
  }

  // Long texts arrive in pieces; the last one is marked.
  Object.defineProperty(world, receiver, {
    value: (piece: string, last: boolean) => {
      pieces += piece;
      if (!last) return;
      const text = pieces;
      pieces = "";
      receive(clone.decode(text) as ToPage);
    },
  });

  world.addEventListener(posted, ({ detail: { id, data } }) => {
    if (wires.has(id)) send({ t: "port", id, data });
  });

  const add = (channel: string, listener: Listener, once: boolean): object => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once }]);
    return ipcRenderer;
  };
  const remove = (channel: string, listener: Listener): object => {
    const remaining = (listeners.get(channel) ?? []).filter((other) => other.listener !== listener);
    listeners.set(channel, remaining);
    return ipcRenderer;
  };
  const ipcRenderer = {
    on: (channel: string, listener: Listener) => add(channel, listener, false),
    once: (channel: string, listener: Listener) => add(channel, listener, true),
    off: remove,
    removeListener: remove,
    send: (channel: string, ...args: unknown[]) => send({ t: "send", channel, args, ports: [] }),
    postMessage: (channel: string, message: unknown, ports: readonly Port[] = []) =>
      send({ t: "send", channel, args: [message], ports: passOn(ports) }),
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        invoked.set(id, { resolve, reject });
        send({ t: "invoke", id, channel, args });
      }),
  };
  // Electron shows no menu by itself: it tells the main process, if the page did not handle the click.
  world.addEventListener("contextmenu", (event) => {
    if (event.defaultPrevented) return;
    const field = event.target.closest("input,textarea,[contenteditable]");
    const selectionText = world.getSelection().toString();
    const canCopy = selectionText !== "" && event.target.closest("[type=password]") === null;
    const editFlags = {
      canUndo: false,
      canRedo: false,
      canCut: canCopy,
      canCopy,
      canPaste: field !== null,
      canSelectAll: true,
    };
    send({ t: "context-menu", place: { isEditable: field !== null, selectionText, editFlags } });
  });
  send({ t: "hello", url: world.location.href });
  return ipcRenderer;
}
