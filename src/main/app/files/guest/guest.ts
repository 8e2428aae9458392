import { Worker } from "node:worker_threads";
import { messageOf } from "#shared/fault.ts";
import { answerCall, beats, createSharedMemory, currentRequest } from "./calls.ts";
import { type EndReason, type FromGuest, HANG_MS, MAX_MEMORY_MB, type ToGuest } from "./protocol.ts";

// The process that reads files of others. It has no environment, and is given bytes instead of paths. This thread passes
// messages between the core and the thread that parses, and watches that one.

/** The parser's script: the source file beside this one, or the bundle that electron-vite builds from it. */
const PARSER = new URL(import.meta.url.endsWith(".ts") ? "./parser.ts" : "./guest-parser.js", import.meta.url);
const CHECK_MS = 50;
const MAX_BYTES = MAX_MEMORY_MB * 2 ** 20;
const BUSY_FACTOR = 3;
/** Of JavaScript's own heap, which can be limited exactly; buffers and WebAssembly are outside of it. */
const MAX_HEAP_MB = 320;

/** The port to the core: of a parent process, or of Electron. */
interface CorePort {
  post(message: FromGuest, onSent?: () => void): void;
  onMessage(listener: (message: ToGuest) => void): void;
  onClose(listener: () => void): void;
}

/** @param parser the script of the other thread @param hangMs how long it may make no progress */
export function runGuest(core: CorePort, parser = PARSER, hangMs = HANG_MS): void {
  const memory = createSharedMemory();
  const worker = new Worker(parser, {
    workerData: memory,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 16 },
  });
  const running = new Set<number>();
  let calls = 0;
  let isCalling = false;
  let isEnding = false;

  function end(reason: EndReason, cause: string): void {
    if (isEnding) return;
    isEnding = true;
    clearInterval(timer);
    // The core ends this process, which may be too busy to end itself.
    core.post({ kind: "end", reason, id: currentRequest(memory), cause }, kill);
  }

  worker.on("message", (message: FromGuest) => {
    if (message.kind === "call") {
      calls++;
      isCalling = true;
    } else if (message.kind !== "end") running.delete(message.id);
    core.post(message);
  });
  worker.on("error", (thrown) => {
    const isMemory = (thrown as NodeJS.ErrnoException | null)?.code === "ERR_WORKER_OUT_OF_MEMORY";
    end(isMemory ? "memory" : "crash", thrown instanceof Error ? (thrown.stack ?? thrown.message) : messageOf(thrown));
  });
  worker.on("exit", (code) => end("crash", `the parser ended with ${code}`));
  core.onMessage((message) => {
    if (message.kind === "answer") {
      isCalling = false;
      return answerCall(memory, message);
    }
    if (message.kind !== "stop" && message.kind !== "close") running.add(message.id);
    worker.postMessage(message);
  });
  core.onClose(kill);

  let last = "";
  let busySinceMs = busyMs();
  let stillChecks = 0;
  const timer = setInterval(() => {
    const { rss } = process.memoryUsage();
    if (rss > MAX_BYTES) return end("memory", `${Math.round(rss / 2 ** 20)} MB`);
    const now = `${beats(memory)} ${calls}`;
    // Before the first beat, the parser is still starting.
    const hasProgress = now !== last || running.size === 0 || beats(memory) === 0;
    last = now;
    if (hasProgress) [busySinceMs, stillChecks] = [busyMs(), 0];
    else stillChecks++;
    // A busy computer is not a fault of the file, so that the time of the processor counts; or that of waiting for a disk.
    // Checks instead of a clock, because computers sleep.
    const stillMs = stillChecks * CHECK_MS;
    if (busyMs() - busySinceMs >= hangMs || stillMs >= (isCalling ? hangMs : BUSY_FACTOR * hangMs))
      end("stuck", `no progress for ${Math.round(stillMs / 1_000)} s`);
  }, CHECK_MS);
}

function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Ends at once, whatever the other thread does. */
function kill(): void {
  process.kill(process.pid, "SIGKILL");
}

/** The used part of Electron's ports. */
interface ElectronPort {
  on(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  on(type: "close", listener: () => void): void;
  postMessage(message: unknown): void;
  start(): void;
}

interface ParentPort {
  once(type: "message", listener: (event: { readonly ports: readonly ElectronPort[] }) => void): void;
}

/** Waits for the core: at the port that Electron brings, or as a child process. */
export function corePort(onPort: (port: CorePort) => void): void {
  const { parentPort } = process as unknown as { readonly parentPort?: ParentPort };
  if (parentPort) {
    parentPort.once("message", ({ ports: [port] }) => {
      if (!port) return;
      onPort({
        post(message, onSent) {
          port.postMessage(message);
          // Sends the message before the process ends.
          if (onSent) setTimeout(onSent, CHECK_MS);
        },
        onMessage: (listener) => port.on("message", ({ data }) => listener(data as ToGuest)),
        onClose: (listener) => port.on("close", listener),
      });
      port.start();
    });
    return;
  }
  onPort({
    post: (message, onSent) => void process.send?.(message, undefined, undefined, () => onSent?.()),
    onMessage: (listener) => process.on("message", listener),
    onClose: (listener) => process.on("disconnect", listener),
  });
}
