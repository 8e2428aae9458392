import { useEffect, useRef, useState } from "react";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { newWorkId, useWorkProgress } from "../stores/work.ts";

interface Work {
  /** Under which the core reports the progress. */
  readonly workId: string;
  /** Aborted by `stop`, and when the component unmounts. */
  readonly signal: AbortSignal;
}

/** A call to the core by a form or a button: whether it is running, its progress, and why it failed. */
export function useCall() {
  const [workId, setWorkId] = useState<string | null>(null);
  const [fault, setFault] = useState<AppFault | null>(null);
  const share = useWorkProgress(workId);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  return {
    isBusy: workId !== null,
    /** 0 to 1; null if unknown. */
    share,
    /** Of the last call; null if it succeeded or was cancelled. */
    fault,
    async run<Value>(call: (work: Work) => Promise<Result<Value, AppFault>>): Promise<Result<Value, AppFault>> {
      const control = new AbortController();
      running.current = control;
      const own = newWorkId();
      setWorkId(own);
      setFault(null);
      const answer = await call({ workId: own, signal: control.signal });
      setWorkId(null);
      if (!answer.ok && answer.error.kind !== "cancelled") setFault(answer.error);
      return answer;
    },
    stop: (): void => running.current?.abort(),
    clearFault: (): void => setFault(null),
  };
}
