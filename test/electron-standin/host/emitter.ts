import { EventEmitter } from "node:events";

/** Emits like Electron: the first argument is an event, and listeners may prevent the default action. */
export class Emitter extends EventEmitter {
  /** @returns whether a listener prevented it */
  consult(name: string, details: object = {}, ...args: unknown[]): boolean {
    const event = preventable(this, details);
    this.emit(name, event, ...args);
    return event.defaultPrevented;
  }
}

function preventable(sender: object, details: object): { readonly defaultPrevented: boolean } {
  let prevented = false;
  return Object.defineProperties(
    { sender, ...details, preventDefault: () => void (prevented = true) },
    { defaultPrevented: { get: () => prevented } },
  ) as unknown as { readonly defaultPrevented: boolean };
}
