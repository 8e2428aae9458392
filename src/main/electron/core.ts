import type { MessagePortMain } from "electron";
import { messageOf } from "#shared/fault.ts";
import { type AnyPort, portChannel } from "#shared/bridge/transport/port.ts";
import type { ToCore, ToWindow } from "#shared/bridge/transport/protocol.ts";
import { createTransport } from "../client/index.ts";
import { startDemo } from "../demo/index.ts";
import { useGuestStarter } from "../app/files/guest/start.ts";
import { linkToShell } from "../supervisor/shellLink.ts";
import { log, scrubbedText, startLog } from "../log/index.ts";
import type { Desktop, SecretStore } from "../ports.ts";
import { Served } from "../served.ts";
import { lockFolder } from "../store/index.ts";
import { type CoreOptions, ShellCaller, type FromCoreProcess, type ToCoreProcess } from "./messages.ts";
import { electronPort, laterGuest } from "./guestPort.ts";

// The utility process: runs the core, with the main process as its desktop and a port for each window.

const { parentPort } = process;
const post = (message: FromCoreProcess): void => parentPort.postMessage(message);
const shellCaller = new ShellCaller(post);
let releaseFolder: (() => void) | null = null;
const link = linkToShell(post, () => releaseFolder?.());

/** Those who wait for the port of a process that reads files, in the order of their requests. */
const guests: ((port: MessagePortMain) => void)[] = [];
useGuestStarter((listener) => {
  const { promise, resolve } = Promise.withResolvers<MessagePortMain>();
  guests.push(resolve);
  post({ kind: "guest" });
  return laterGuest(
    promise.then((port) => electronPort(port)),
    listener,
  );
});

// After an unexpected error, the core ends and is restarted, because its state may be corrupt.
process.on("unhandledRejection", stop);
process.on("uncaughtException", stop);

parentPort.on("message", ({ data, ports }) => receive(data as ToCoreProcess, ports[0]));
post({ kind: "listening" });

function receive(message: ToCoreProcess, port: MessagePortMain | undefined): void {
  switch (message.kind) {
    case "start":
      return startCore(message.options);
    case "window":
      if (port)
        link.served?.serve(portChannel<ToWindow, ToCore>(adaptPort(port), { transfer: false }), message.windowId);
      return;
    case "guest":
      if (port) guests.shift()?.(port);
      return;
    case "offer":
      return void link.served?.app?.files.offer(message.paths.map((path) => ({ path })));
    case "suspend":
      return void link.served?.app?.suspend();
    case "resume":
      return void link.served?.app?.resume();
    case "answer":
    case "refusal":
      return shellCaller.answered(message);
    default:
      return link.receive(message);
  }
}

function startCore(options: CoreOptions): void {
  startLog(options.dataFolder, "core");
  link.open(() => {
    releaseFolder = lockFolder(options.dataFolder);
    return new Served({
      dataFolder: options.dataFolder,
      secrets: secretsOf(shellCaller),
      startDemo,
      transport: createTransport({ proxyFor: (origin) => shellCaller.ask("proxyFor", origin) }).send,
      desktop: desktopOf(shellCaller, options),
    });
  });
}

/** Adapts an Electron port, which copies messages and can transfer only ports. */
function adaptPort(port: MessagePortMain): AnyPort {
  return {
    on: (type, listener) => (type === "message" ? port.on(type, listener) : port.on(type, () => listener({}))),
    postMessage: (message: unknown) => port.postMessage(message),
    start: () => port.start(),
    close: () => port.close(),
  };
}

function stop(thrown: unknown): void {
  log.error("the core ends after an unexpected error", thrown);
  console.error(scrubbedText(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)));
  post({ kind: "stopping", message: messageOf(thrown) });
  // Sends the message before the process ends.
  setImmediate(() => process.exit(70));
}

function secretsOf({ ask }: ShellCaller): SecretStore {
  return {
    get: (connectionId) => ask("readKey", connectionId),
    set: (connectionId, key) => ask("writeKey", connectionId, key),
    delete: (connectionId) => ask("deleteKey", connectionId),
    protection: () => ask("keyProtection"),
    expectedProtection: () => ask("expectedProtection"),
  };
}

function desktopOf({ ask }: ShellCaller, { components, notifications }: CoreOptions): Desktop {
  return {
    capabilities: {
      shell: "electron",
      fileDialogs: true,
      openFiles: "dialog",
      downloads: false,
      showInFolder: true,
      openExternal: true,
      notifications,
      newWindow: true,
    },
    components,
    chooseSaveFile: (options, windowId) => ask("chooseSaveFile", options, windowId),
    chooseFolder: (windowId) => ask("chooseFolder", windowId),
    chooseOpenFiles: (options, windowId) => ask("chooseOpenFiles", options, windowId),
    showInFolder: (path) => ask("showInFolder", path),
    openExternal: (url) => ask("openExternal", url),
    newWindow: () => ask("newWindow"),
    // Best effort: a failure must not stop the work.
    notify: (title, text) => void ask("notify", title, text).catch(() => {}),
    showProgress: (share) => void ask("showProgress", share).catch(() => {}),
    useTheme: (theme) => void ask("useTheme", theme).catch(() => {}),
  };
}
