import { useEffect, useRef, useState } from "react";
import { type AppFault, messageOf } from "#shared/fault.ts";
import { failure, type Result } from "#shared/service/error.ts";
import { bridge } from "../bridge/index.ts";
import { newWorkId, useWorkProgress } from "../stores/work.ts";

interface Work {
  /** Under which the core reports the progress. */
  readonly workId: string;
  /** Aborted by `stop`, and when the component unmounts. */
  readonly signal: AbortSignal;
  /** Reports the progress of work that the window does itself, 0 to 1. */
  readonly onShare: (share: number) => void;
}

/**
 * Work of a form or a button: whether it is running, its progress, and why it failed. The core answers with a fault;
 * work of the window itself throws the sentence.
 */
export function useCall() {
  const [workId, setWorkId] = useState<string | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const [ownShare, setOwnShare] = useState<number | null>(null);
  const reported = useWorkProgress(workId);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    isBusy: workId !== null,
    /** 0 to 1; null if unknown. */
    share: ownShare ?? reported,
    /** Of the last call; null if it succeeded or was cancelled. */
    fault,
    async run<Value>(call: (work: Work) => Promise<Result<Value, AppFault>>): Promise<Result<Value, AppFault>> {
      const control = new AbortController();
      running.current = control;
      const own = newWorkId();
      setWorkId(own);
      setFault(null);
      setOwnShare(null);
      const { signal } = control;
      const answer = await call({ workId: own, signal, onShare: setOwnShare }).catch((thrown: unknown) => {
        const message = messageOf(thrown);
        if (signal.aborted) return failure<AppFault>({ kind: "cancelled", message, cause: null });
        void bridge.log.report({ text: message.slice(0, 5_000) });
        return failure<AppFault>({ kind: "usage", message, cause: null });
      });
      setWorkId(null);
      if (!answer.ok && answer.error.kind !== "cancelled") setFault(answer.error);
      return answer;
    },
    stop: (): void => running.current?.abort(),
    clearFault: (): void => setFault(null),
  };
}
