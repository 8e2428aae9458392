import { fork } from "node:child_process";
import { join } from "node:path";
import type { FromGuest, ToGuest } from "./protocol.ts";

/** The process that reads files of others, as its core sees it. */
export interface GuestProcess {
  post(message: ToGuest): void;
  /** Whether this process waits for it before it ends. */
  setWaited(isWaited: boolean): void;
  kill(): void;
}

export interface GuestListener {
  message(message: FromGuest): void;
  /** Called once. */
  gone(cause: string): void;
}

export type StartGuest = (listener: GuestListener) => GuestProcess;

let starter: StartGuest = (listener) => startChild(MAIN, listener);

/** Sets how guests are started where it is not by Node's child processes: in Electron, and in a thread of a shell. */
export function useGuestStarter(start: StartGuest): void {
  starter = start;
}

export function startGuest(listener: GuestListener): GuestProcess {
  return starter(listener);
}

const isSource = import.meta.url.endsWith(".ts");
/** The folder of the package. */
const ROOT = isSource ? join(import.meta.dirname, "..", "..", "..", "..", "..") : join(import.meta.dirname, "..", "..");
const MAIN = join(import.meta.dirname, isSource ? "main.ts" : "guest.js");

/** Folders of the program. The guest may read nothing else. */
const OWN = ["src", "out", "test", "node_modules", "package.json"];

/** Starts a script as a child process without environment, which may read no file but the program's own, and write none. */
export function startChild(script: string, listener: GuestListener): GuestProcess {
  const child = fork(script, [], {
    env: {},
    execArgv: [
      "--permission",
      ...OWN.map((name) => `--allow-fs-read=${join(ROOT, name)}`),
      "--allow-worker",
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
      // A small young generation, because streamed buffers die at once.
      "--max-semi-space-size=2",
    ],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.on("message", (message) => listener.message(message as FromGuest));
  // An exit follows, or the process could not be started.
  let isGone = false;
  const gone = (cause: string): void => {
    if (isGone) return;
    isGone = true;
    listener.gone(cause);
  };
  child.on("error", (error) => gone(error.message));
  child.on("exit", (code, signal) => gone(`exit by ${signal ?? `code ${code}`}`));
  return {
    post(message) {
      if (child.connected) child.send(message, () => {});
    },
    setWaited(isWaited) {
      if (isWaited) {
        child.ref();
        child.channel?.ref();
      } else {
        child.unref();
        child.channel?.unref();
      }
    },
    kill: () => void child.kill("SIGKILL"),
  };
}
