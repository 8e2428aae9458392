import { MessageChannelMain, type MessagePortMain, type UtilityProcess } from "electron";
import { Supervisor, type SupervisorOptions } from "../supervisor/supervisor.ts";
import { answerCall, type CoreOptions, type FromCoreProcess, type ShellCalls, type ToCoreProcess } from "./messages.ts";

/** The core in a utility process. */
export interface CoreProcess extends Pick<Supervisor<UtilityProcess>, "grant" | "restart" | "startAgain" | "close"> {
  /** The window's end of a new port to the core; null while there is no core: wait for `onReady`. */
  connect(windowId: number): MessagePortMain | null;
  /** Passes files that the system asked to open to the core; they wait until there is one. */
  offer(paths: readonly string[]): void;
  suspend(): void;
  resume(): void;
}

interface CoreProcessOptions extends Pick<SupervisorOptions<UtilityProcess>, "onAnswering" | "onGivenUp" | "beat"> {
  readonly fork: () => UtilityProcess;
  readonly forkGuest: () => MessagePortMain;
  readonly core: CoreOptions;
  readonly calls: ShellCalls;
  readonly onReady: (reason: string | null) => void;
}

export function createCoreProcess({
  fork,
  forkGuest,
  core,
  calls,
  onReady,
  ...options
}: CoreProcessOptions): CoreProcess {
  let offered: string[] = [];
  const post = (message: ToCoreProcess): void => supervisor.open()?.postMessage(message);
  const postOffered = (): void => {
    if (supervisor.open() && offered.length > 0) post({ kind: "offer", paths: offered.splice(0) });
  };
  const supervisor = new Supervisor<UtilityProcess>({
    ...options,
    spawn(events) {
      const child = fork();
      let why: string | null = null;
      let isGone = false;
      const answer = (message: ToCoreProcess): void => {
        if (!isGone) child.postMessage(message);
      };
      child.on("message", (message: FromCoreProcess) => {
        events.heard();
        if (message.kind === "listening") answer({ kind: "start", options: core });
        else if (message.kind === "ask") void answerCall(calls, message).then(answer);
        else if (message.kind === "guest") {
          if (!isGone) child.postMessage({ kind: "guest" } satisfies ToCoreProcess, [forkGuest()]);
        } else if (message.kind === "stopping") why = message.message;
        else events.message(message);
      });
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (text: Buffer | string) => events.printed(String(text)));
      // Without a listener, the error would end this process too. The exit event follows.
      child.on("error", (type, location) => (why ??= location ? `${type} at ${location}` : type));
      child.on("exit", (code) => {
        isGone = true;
        events.exited(why ?? `exit code ${code}`);
      });
      return child;
    },
    kill: (child) => void child.kill(),
    onReady(reason) {
      postOffered();
      onReady(reason);
    },
  });
  return {
    grant: (places) => supervisor.grant(places),
    restart: () => supervisor.restart(),
    startAgain: () => supervisor.startAgain(),
    close: () => supervisor.close(),
    connect(windowId) {
      const child = supervisor.open();
      if (!child) return null;
      const { port1, port2 } = new MessageChannelMain();
      child.postMessage({ kind: "window", windowId } satisfies ToCoreProcess, [port1]);
      return port2;
    },
    offer(paths) {
      offered.push(...paths);
      postOffered();
    },
    suspend: () => post({ kind: "suspend" }),
    resume: () => post({ kind: "resume" }),
  };
}
