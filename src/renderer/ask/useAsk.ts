import { useCallback, useEffect, useMemo, useReducer, useRef, useState, useSyncExternalStore } from "react";
import type { CacheStatistics } from "#shared/series/cache.ts";
import { useConnectionId } from "../stores/connection.ts";
import { type Answered, answerTo, ask, askAgain, askEach, pose, type Posed, type Question } from "./ask.ts";
import { cacheSizeOf } from "./questions.ts";

/** What is known of a question, and what may be shown until it is. */
export interface Asked<Value> extends Answered<Value> {
  /** The last answer to an earlier input, to be shown only as such; null once the present question has an answer or failed. */
  readonly earlier: Value | null;
  readonly again: () => void;
}

interface AskOptions {
  /** Time that the input must be unchanged before the core is asked, ms. */
  readonly delayMs?: number;
  /** Part of the input for which an earlier answer is of use, compared as JSON; without it, none is. */
  readonly keepFor?: unknown;
}

const DELAY_MS = 120;
function ignore(): void {}

const NOT_ASKED: Answered<never> = { value: null, fault: null, isLoading: false };

/**
 * Asks the core, and again when the input changes or the answer becomes stale.
 *
 * @param input values that JSON can hold; null asks nothing
 */
export function useAsk<Input, Value>(
  question: Question<Input, Value>,
  input: Input | null,
  { delayMs = DELAY_MS, keepFor }: AskOptions = {},
): Asked<Value> {
  const key = input === null ? null : JSON.stringify(input);
  // Read from the key, so that the core is never asked for another input than the one that the answer is kept under.
  const posed = useMemo(
    (): Posed<Input, Value> | null => (key === null ? null : { question, input: JSON.parse(key) as Input, key }),
    [question, key],
  );
  const subscribe = useCallback(
    (listener: () => void) => (posed === null ? ignore : ask(posed, delayMs, listener)),
    [posed, delayMs],
  );
  const answered = useSyncExternalStore(subscribe, () => (posed === null ? NOT_ASKED : answerTo(posed)));
  const again = useCallback(() => {
    if (posed !== null) askAgain(posed);
  }, [posed]);

  const scope = keepFor === undefined ? null : JSON.stringify(keepFor);
  const kept = useRef<{ readonly scope: string; readonly value: Value } | null>(null);
  if (scope === null || answered.fault !== null) kept.current = null;
  else if (answered.value !== null) kept.current = { scope, value: answered.value };
  const isOfUse = answered.isLoading && answered.value === null && kept.current?.scope === scope;
  return { ...answered, earlier: isOfUse ? (kept.current?.value ?? null) : null, again };
}

/** Asks about the open connection. */
export function useAskHere<Input extends { readonly connectionId: string }, Value>(
  question: Question<Input, Value>,
  input: Omit<Input, "connectionId"> | null,
  { keepFor, ...options }: AskOptions = {},
): Asked<Value> {
  const connectionId = useConnectionId();
  const whole = input && ({ connectionId, ...input } as Input & Omit<Input, "connectionId">);
  return useAsk(question, whole, { ...options, keepFor: keepFor === undefined ? keepFor : [connectionId, keepFor] });
}

/**
 * Asks for each of several inputs, such as the pages in sight; those of the inputs before are kept where they are the same.
 *
 * @returns what is known, in the order of the inputs
 */
export function useAskEach<Input, Value>(
  question: Question<Input, Value>,
  inputs: readonly Input[],
): readonly Answered<Value>[] {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [asking] = useState(() => askEach<Input, Value>(redraw));
  const keys = JSON.stringify(inputs);
  const posed = useMemo(() => (JSON.parse(keys) as Input[]).map((input) => pose(question, input)), [question, keys]);
  useEffect(() => asking.want(posed), [asking, posed]);
  useEffect(() => asking.stop, [asking]);
  return posed.map(answerTo);
}

/** Returns size and content of the open connection's cache; null until known. */
export function useCacheSize(): (CacheStatistics & { readonly path: string }) | null {
  return useAskHere(cacheSizeOf, {}, { delayMs: 0 }).value;
}

/** The answer, or the one to the earlier input until it is there. */
export function shownOf<Value>({ value, earlier }: Asked<Value>): Value | null {
  return value ?? earlier;
}
