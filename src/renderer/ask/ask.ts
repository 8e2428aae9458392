import type { BridgeEvents } from "#shared/bridge/events.ts";
import { isGone } from "#shared/bridge/client.ts";
import type { AppFault } from "#shared/fault.ts";
import type { Result } from "#shared/service/error.ts";
import { bridge } from "../bridge/index.ts";

type EventName = keyof BridgeEvents;

/** What the window asks the core: the call, and what may make its answer wrong. */
export interface Question<Input, Value> {
  readonly load: (input: Input, options: LoadOptions<Value>) => Promise<Result<Value, AppFault>>;
  readonly timing: QuestionTiming;
  /** The questions that someone waits for, by input. */
  readonly asked: Map<string, Asking>;
}

export interface LoadOptions<Value> {
  readonly signal: AbortSignal;
  /** Shows what is known so far of a first answer. An earlier answer stays until the next one is complete. */
  readonly onPart: (value: Value) => void;
}

interface QuestionTiming {
  /** Events of the core that make answers stale; restarts of the core always do. */
  readonly staleAfter: readonly EventName[];
  /** Minimum time between two calls that events cause, ms. */
  readonly restMs?: number;
  /** Age at which an answer is stale by itself, ms. */
  readonly maxAgeMs?: number;
}

/** What is known of a question. An answer to another input is never one to this. */
export interface Answered<Value> {
  /** null until it is known, and after a failure. */
  readonly value: Value | null;
  /** Why the last call failed. */
  readonly fault: AppFault | null;
  readonly isLoading: boolean;
}

interface Asking {
  readonly state: () => Answered<unknown>;
  readonly again: () => void;
  readonly listeners: Set<() => void>;
  readonly onEvent: (name: EventName, data: unknown) => void;
  readonly close: () => void;
}

const LOADING: Answered<never> = { value: null, fault: null, isLoading: true };
const REST_MS = 1_000;

/** @param load a method of the bridge, or a function like one */
export function question<Input, Value>(
  load: Question<Input, Value>["load"],
  timing: QuestionTiming,
): Question<Input, Value> {
  return { load, timing, asked: new Map() };
}

const open = new Set<Asking>();
const followed = new Set<EventName>();

function follow(name: EventName): void {
  if (followed.has(name)) return;
  followed.add(name);
  bridge.on(name, (data: unknown) => {
    for (const asking of open) asking.onEvent(name, data);
  });
}

/** A question with its input. */
export interface Posed<Input, Value> {
  readonly question: Question<Input, Value>;
  readonly input: Input;
  /** Identifies the input. */
  readonly key: string;
}

/** @param input values that JSON can hold */
export function pose<Input, Value>(question: Question<Input, Value>, input: Input): Posed<Input, Value> {
  return { question, input, key: JSON.stringify(input) };
}

/**
 * Asks the core, unless the same question is already asked, and again whenever its answer becomes stale.
 *
 * @param delayMs time before the first call, in which a change of the input saves it
 * @param listener called after each change of `answerTo`
 * @returns a function that stops asking; the call under way is cancelled if no other listener is left
 */
export function ask<Input, Value>(posed: Posed<Input, Value>, delayMs: number, listener: () => void): () => void {
  const { asked } = posed.question;
  const asking = asked.get(posed.key) ?? startAsking(posed, delayMs);
  asked.set(posed.key, asking);
  asking.listeners.add(listener);
  return () => {
    asking.listeners.delete(listener);
    if (asking.listeners.size > 0) return;
    asking.close();
    asked.delete(posed.key);
  };
}

/**
 * Asks several questions of one kind, of which some change at a time: the pieces of a large answer that are in sight.
 *
 * @param listener called after each change of an answer
 */
export function askEach<Input, Value>(listener: () => void) {
  let held: readonly (() => void)[] = [];
  const want = (posed: readonly Posed<Input, Value>[]): void => {
    const former = held;
    // Before the former ones are left, so that those in both are not asked again.
    held = posed.map((one) => ask(one, 0, () => listener()));
    for (const stop of former) stop();
  };
  return { want, stop: () => want([]) };
}

/** Returns what is known of a question; the same object until it changes. */
export function answerTo<Input, Value>({ question: { asked }, key }: Posed<Input, Value>): Answered<Value> {
  return (asked.get(key)?.state() ?? LOADING) as Answered<Value>;
}

/** Asks again now, as after a failure, if anyone waits for the answer. */
export function askAgain<Input, Value>({ question: { asked }, key }: Posed<Input, Value>): void {
  asked.get(key)?.again();
}

function startAsking<Input, Value>({ question, input }: Posed<Input, Value>, delayMs: number): Asking {
  const { staleAfter, restMs = REST_MS, maxAgeMs } = question.timing;
  const control = new AbortController();
  let state: Answered<Value> = LOADING;
  let isCalling = false;
  /** Whether `state` has a complete answer. */
  let isComplete = false;
  /** Whether the answer to the current call is already stale. */
  let isStale = false;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const show = (next: Answered<Value>): void => {
    state = next;
    for (const listener of asking.listeners) listener();
  };
  const onPart = (value: Value): void => {
    if (!control.signal.aborted && !isComplete) show({ value, fault: null, isLoading: true });
  };
  const call = async (): Promise<void> => {
    clearTimeout(first);
    first = undefined;
    if (isCalling) {
      // A call is never interrupted by a change: changes faster than the answers would leave none.
      isStale = true;
      return;
    }
    isCalling = true;
    isStale = false;
    if (!state.isLoading) show({ ...state, isLoading: true });
    const answer = await question.load(input, { signal: control.signal, onPart });
    isCalling = false;
    if (control.signal.aborted) return;
    // The restart of the core follows.
    if (!answer.ok && isGone(answer.error)) return;
    isComplete = answer.ok;
    if (answer.ok) show({ value: answer.value, fault: null, isLoading: false });
    else show({ value: null, fault: answer.error, isLoading: false });
    if (isStale) change();
  };
  let first: ReturnType<typeof setTimeout> | undefined = setTimeout(() => void call(), delayMs);

  /** Asks again, at once after the first change and then at intervals. */
  function change(): void {
    if (first !== undefined) return;
    if (rest !== undefined) {
      isStale = true;
      return;
    }
    rest = setTimeout(() => {
      rest = undefined;
      if (isStale && !isCalling) change();
    }, restMs);
    void call();
  }

  const aging = maxAgeMs === undefined ? undefined : setInterval(change, maxAgeMs);
  const asking: Asking = {
    state: () => state,
    again: () => void call(),
    listeners: new Set(),
    onEvent(name, data) {
      if (name === "coreRestarted" || (staleAfter.includes(name) && concerns(data as Subject | null, input as Subject)))
        change();
    },
    close() {
      open.delete(asking);
      clearTimeout(first);
      clearTimeout(rest);
      clearInterval(aging);
      control.abort();
    },
  };
  open.add(asking);
  for (const name of ["coreRestarted", ...staleAfter] as const) follow(name);
  return asking;
}

/** What an event or an input is about. */
interface Subject {
  readonly connectionId?: string;
  /** null: all stations. */
  readonly stationIds?: readonly string[] | null;
  readonly stationId?: string;
  readonly spec?: { readonly stationIds: readonly string[] };
  /** State of a job. */
  readonly state?: string;
}

function concerns(event: Subject | null, input: Subject): boolean {
  if (event === null) return true;
  // Progress is reported by changes of the cache.
  if (event.state === "running" || event.state === "queued") return false;
  const { connectionId = input.connectionId } = event;
  if (input.connectionId !== undefined && connectionId !== input.connectionId) return false;
  const [changed, own] = [stationsOf(event), stationsOf(input)];
  return changed === null || own === null || changed.some((id) => own.includes(id));
}

function stationsOf({ stationIds, stationId, spec }: Subject): readonly string[] | null {
  return stationIds ?? spec?.stationIds ?? (stationId === undefined ? null : [stationId]);
}
