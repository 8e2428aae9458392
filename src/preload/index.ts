import { contextBridge, ipcRenderer, webUtils } from "electron";
import type { PortMessage, ZenithShell } from "#shared/bridge/transport/shell.ts";

// This one file knows a page without being compiled as one.
declare const window: { postMessage(message: unknown, targetOrigin: string, ports: readonly unknown[]): void };
declare const location: { readonly origin: string };
declare const crypto: { randomUUID(): string };

/** Marks the messages that are meant for the page's own script; null until it has asked. */
let nonce: string | null = null;

const shell: ZenithShell = {
  platform: process.platform,
  onCommand(listener) {
    ipcRenderer.on("zenith:command", (_, command: unknown) => {
      if (typeof command === "string") listener(command);
    });
  },
  onEngine(listener) {
    ipcRenderer.on("zenith:engine", (_, isAnswering: unknown) => listener(isAnswering === true));
  },
  restartEngine() {
    ipcRenderer.send("zenith:restart-engine");
  },
  requestCore() {
    nonce ??= crypto.randomUUID();
    ipcRenderer.send("zenith:request-core");
    return nonce;
  },
  async grantFiles(files) {
    const paths = files.map(pathOf).filter((path) => path !== "");
    return paths.length === 0 ? [] : await ipcRenderer.invoke("zenith:grant-files", paths);
  },
};

/** Only Electron knows the path behind a `File`; one that a script made has none, and what is no `File` is refused. */
function pathOf(file: unknown): string {
  try {
    return webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0]);
  } catch {
    return "";
  }
}

ipcRenderer.on("zenith:core", ({ ports }, reason: unknown) => {
  if (nonce === null || ports[0] === undefined) return;
  const message: PortMessage = { kind: "zenith:port", nonce, reason: typeof reason === "string" ? reason : null };
  // A port crosses from this isolated world to the page's own only as a message between windows.
  window.postMessage(message, location.origin, [ports[0]]);
});

contextBridge.exposeInMainWorld("zenithShell", shell);
