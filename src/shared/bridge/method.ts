import type { z } from "zod";
import type { AppFault } from "../fault.ts";
import type { Result } from "../service/error.ts";

/** A method of the bridge: the schema that validates its input on arrival, and the types of its value and fault. */
export interface Method<Input extends z.ZodType, Value, Fault = AppFault> {
  readonly input: Input;
  /** Never set; only carries the types. */
  readonly answer?: Result<Value, Fault>;
}

/** Declares a method: `method<Value>()(schema)`. Two calls, because TypeScript infers all type arguments of a call or none. */
export function method<Value, Fault = AppFault>(): <Input extends z.ZodType>(
  input: Input,
) => Method<Input, Value, Fault> {
  return (input) => ({ input });
}

export interface CallOptions {
  /** Cancels the call, which then resolves to a fault of kind `cancelled`. */
  readonly signal?: AbortSignal;
}

type InputOf<M> = M extends Method<infer Input, unknown, unknown> ? z.input<Input> : never;
type CheckedInputOf<M> = M extends Method<infer Input, unknown, unknown> ? z.output<Input> : never;
type AnswerOf<M> = M extends Method<z.ZodType, infer Value, infer Fault> ? Result<Value, Fault> : never;

/** A domain as a caller sees it. Calls never reject: a failure is part of the `Result`. */
export type Calls<Domain> = {
  readonly [Name in keyof Domain]: (
    input: InputOf<Domain[Name]>,
    options?: CallOptions,
  ) => Promise<AnswerOf<Domain[Name]>>;
};

/** A domain as the core implements it. A thrown error becomes a fault. */
export type Handlers<Domain> = {
  readonly [Name in keyof Domain]: (
    input: CheckedInputOf<Domain[Name]>,
    context: CallContext,
  ) => AnswerOf<Domain[Name]> | Promise<AnswerOf<Domain[Name]>>;
};

export interface CallContext {
  readonly signal: AbortSignal;
  /** The calling window, above which dialogs open; null if the shell has no windows. */
  readonly windowId: number | null;
}
