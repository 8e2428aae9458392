// Runs in a page of the desktop shell instead of the application: relays messages between the port of the core and the
// test, packed and encoded in base64.
import { pack, unpack } from "#shared/bridge/transport/pack.ts";
import { portChannel } from "#shared/bridge/transport/port.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";
import { corePort, type ZenithShell } from "#shared/bridge/transport/shell.ts";

interface PageOfTest {
  readonly window: unknown;
  readonly location: { readonly origin: string };
  readonly zenithShell: ZenithShell;
  fromCore(base64: string): void;
  toCore(base64: string): void;
  addEventListener(type: "message", listener: (event: PortArrived) => void): void;
}

interface PortArrived {
  readonly data: unknown;
  readonly origin: string;
  readonly source: unknown;
  readonly ports: readonly Parameters<typeof portChannel>[0][];
}

const page = globalThis as unknown as PageOfTest;

/** Resolves when the connection to the core is open. */
export function openRelay(): Promise<void> {
  return new Promise((resolve) => {
    let nonce = "";
    page.addEventListener("message", (event) => {
      const arrived = corePort(event, nonce, { window: page.window, origin: page.location.origin });
      if (!arrived) return;
      const channel = portChannel<ToCore, ToWindow>(arrived.port, { transfer: false });
      page.toCore = (base64) => channel.send(unpack(bytesOf(base64)) as ToCore);
      channel.onMessage((message) => page.fromCore(base64Of(pack(message))));
      resolve();
    });
    nonce = page.zenithShell.requestCore();
  });
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function base64Of(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
