import { useEffect, useRef, useState } from "react";
import type { CallOptions } from "#shared/bridge/method.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";

interface Answered<Value> {
  /** null before the first value. */
  readonly value: Value | null;
  /** Why the last call failed. */
  readonly fault: AppFault | null;
}

/**
 * Calls the core, again whenever one of `inputs` changes. The previous value stays until the next one arrives.
 *
 * @param load a method of the bridge, or a function like one
 * @param inputs primitive values, or objects that keep their identity
 */
export function useAnswer<Value>(
  load: (options: CallOptions) => Promise<Result<Value, AppFault>>,
  inputs: readonly unknown[],
): Answered<Value> {
  const [answered, setAnswered] = useState<Answered<Value>>({ value: null, fault: null });
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const control = new AbortController();
    const call = async (): Promise<void> => {
      const answer = await latest.current(control);
      if (control.signal.aborted) return;
      setAnswered(({ value }) => (answer.ok ? { value: answer.value, fault: null } : { value, fault: answer.error }));
    };
    void call();
    return () => control.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- the caller names them
  }, inputs);
  return answered;
}
