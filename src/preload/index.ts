import { contextBridge, ipcRenderer, webUtils } from "electron";
import type { PortMessage, ZenithShell } from "#shared/bridge/transport/shell.ts";

// This file runs in a page, but is compiled without DOM types.
declare const window: { postMessage(message: unknown, targetOrigin: string, ports: readonly unknown[]): void };
declare const location: { readonly origin: string };
declare const crypto: { randomUUID(): string };

/** Marks messages for the page's own script; null until it requested the core. */
let nonce: string | null = null;

/** Commands that arrived before the page listened. */
const early: string[] = [];
let onCommand = (command: string): void => void early.push(command);
ipcRenderer.on("zenith:command", (_, command: unknown) => {
  if (typeof command === "string") onCommand(command);
});

const shell: ZenithShell = {
  platform: process.platform,
  onCommand(listener) {
    onCommand = listener;
    for (const command of early.splice(0)) listener(command);
  },
  onCoreAnswering(listener) {
    ipcRenderer.on("zenith:core-answering", (_, isAnswering: unknown) => listener(isAnswering === true));
  },
  restartCore() {
    ipcRenderer.send("zenith:restart-core");
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

/** The path of a `File`; empty if a script created it, or if it is not a `File`. */
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
  // A port can reach the page's main world only as a window message.
  window.postMessage(message, location.origin, [ports[0]]);
});

contextBridge.exposeInMainWorld("zenithShell", shell);
