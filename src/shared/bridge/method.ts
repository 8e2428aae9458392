import type { z } from "zod";
import type { AppFault } from "../fault.ts";
import type { Result } from "../service/error.ts";

/** A method of the bridge: what it takes, checked when it arrives; what it gives, and how it fails, as types. */
export interface Method<Input extends z.ZodType, Value, Fault = AppFault> {
  readonly input: Input;
  /** Never there: only carries the types. */
  readonly answer?: Result<Value, Fault>;
}

/** `method<Value>()(schema)`: two calls, because TypeScript infers all type arguments of a call or none. */
export function method<Value, Fault = AppFault>(): <Input extends z.ZodType>(
  input: Input,
) => Method<Input, Value, Fault> {
  return (input) => ({ input });
}

export interface CallOptions {
  /** Stops the work behind the call; the answer is then a fault of kind `cancelled`. */
  readonly signal?: AbortSignal;
}

type InputOf<M> = M extends Method<infer Input, unknown, unknown> ? z.input<Input> : never;
export type CheckedInputOf<M> = M extends Method<infer Input, unknown, unknown> ? z.output<Input> : never;
export type AnswerOf<M> = M extends Method<z.ZodType, infer Value, infer Fault> ? Result<Value, Fault> : never;

/** A domain as a caller sees it. Calls never reject: what goes wrong is a `Result`. */
export type Calls<Domain> = {
  readonly [Name in keyof Domain]: (
    input: InputOf<Domain[Name]>,
    options?: CallOptions,
  ) => Promise<AnswerOf<Domain[Name]>>;
};

/** A domain as the core implements it. What is thrown becomes a fault. */
export type Handlers<Domain> = {
  readonly [Name in keyof Domain]: (
    input: CheckedInputOf<Domain[Name]>,
    context: CallContext,
  ) => AnswerOf<Domain[Name]> | Promise<AnswerOf<Domain[Name]>>;
};

export interface CallContext {
  readonly signal: AbortSignal;
  /** The window that calls, so that a dialog opens above it; null where the shell has no windows. */
  readonly windowId: number | null;
}
