import { join } from "node:path";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { messageOf } from "#shared/fault.ts";
import { Supervisor, type SupervisorOptions } from "../supervisor/supervisor.ts";
import type { CoreToShell } from "../supervisor/shellLink.ts";
import { joinGuest } from "../app/files/guest/port.ts";
import type { CoreData, GuestRequest, ToCoreThread } from "./core.ts";

/** The core in a worker thread. */
export interface CoreThread extends Pick<Supervisor<Worker>, "grant" | "restart" | "end" | "close"> {
  /** Opens a new port to the core, for packed messages; waits during a restart of the core. */
  connect(): Promise<MessagePort>;
}

interface CoreThreadOptions
  extends CoreData, Required<Pick<SupervisorOptions<Worker>, "onStopped" | "onAnswering" | "beat">> {
  /** Script of the core; its source file by default. */
  readonly coreFile?: string | undefined;
}

const CORE_SOURCE = join(import.meta.dirname, "core.ts");

/** @throws StoreError if the core cannot open its databases */
export async function startCoreThread({
  dataFolder,
  coreFile = CORE_SOURCE,
  ...options
}: CoreThreadOptions): Promise<CoreThread> {
  const supervisor = new Supervisor<Worker>({
    ...options,
    spawn(events) {
      const worker = new Worker(coreFile, { workerData: { dataFolder } satisfies CoreData, stderr: true });
      let why: string | null = null;
      worker.stderr.on("data", (text: Buffer) => events.printed(text.toString()));
      worker.on("message", (message: CoreToShell | GuestRequest) => {
        if (message.kind === "guest") joinGuest(message.port);
        else events.message(message);
      });
      worker.on("error", (error: unknown) => (why = messageOf(error)));
      worker.once("exit", (code) => events.exited(why ?? `exit code ${code}`));
      return worker;
    },
    kill: (worker) => void worker.terminate(),
  });
  await supervisor.reached();
  return {
    grant: (places) => supervisor.grant(places),
    restart: () => supervisor.restart(),
    end: () => supervisor.end(),
    close: () => supervisor.close(),
    async connect() {
      const worker = await supervisor.reached();
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ kind: "window", port: port2 } satisfies ToCoreThread, [port2]);
      return port1;
    },
  };
}
