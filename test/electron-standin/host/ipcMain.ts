import { EventEmitter } from "node:events";
import type { MessagePortMain } from "./port.ts";

interface Sender {
  readonly id: number;
  readonly mainFrame: object;
}

type InvokeHandler = (event: object, ...args: unknown[]) => unknown;

class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, InvokeHandler>();

  handle(channel: string, handler: InvokeHandler): void {
    if (this.#handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  /** Emits a message from the main frame of a page; other frames have no preload. */
  receive(sender: Sender, channel: string, args: readonly unknown[], ports: readonly MessagePortMain[]): void {
    this.emit(channel, eventOf(sender, ports), ...args);
  }

  async answer(
    sender: Sender,
    channel: string,
    args: readonly unknown[],
  ): Promise<{ error: string | null; value: unknown }> {
    try {
      const handler = this.#handlers.get(channel);
      if (!handler) throw new Error(`No handler registered for '${channel}'`);
      return { error: null, value: await handler(eventOf(sender, []), ...args) };
    } catch (error) {
      return { error: `Error invoking remote method '${channel}': ${String(error)}`, value: undefined };
    }
  }
}

export const ipcMain = new IpcMain();

function eventOf(sender: Sender, ports: readonly MessagePortMain[]): object {
  return { sender, senderFrame: sender.mainFrame, ports, preventDefault() {}, defaultPrevented: false };
}
