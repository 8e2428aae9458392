import { messageOf } from "#shared/thrown.ts";
import { SecretError } from "../secrets/keptKey.ts";
import type { FromCoreProcess, ShellCalls, ToCoreProcess } from "./messages.ts";

type Answered = Extract<ToCoreProcess, { readonly kind: "answer" | "refusal" }>;

/** The core's side of its calls to the main process. */
export interface Asking {
  ask<Name extends keyof ShellCalls>(name: Name, ...input: Parameters<ShellCalls[Name]>): ReturnType<ShellCalls[Name]>;
  answered(message: Answered): void;
}

export function createAsking(post: (message: FromCoreProcess) => void): Asking {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  return {
    ask(name, ...input) {
      const id = ++lastId;
      const waits = Promise.withResolvers<unknown>();
      waiting.set(id, waits);
      post({ kind: "ask", id, name, input });
      return waits.promise as ReturnType<ShellCalls[typeof name]>;
    },
    answered(message) {
      const waits = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === "answer") waits?.resolve(message.value);
      else waits?.reject(message.aboutKey ? new SecretError(message.message) : new Error(message.message));
    },
  };
}

/** The main process's side: does what the core asks for, and says how it went. */
export async function answerAsked(
  calls: ShellCalls,
  { id, name, input }: Extract<FromCoreProcess, { readonly kind: "ask" }>,
): Promise<Answered> {
  try {
    if (!Object.hasOwn(calls, name)) throw new Error(`There is no call “${name}”.`);
    const call = calls[name] as (...input: readonly unknown[]) => Promise<unknown>;
    return { kind: "answer", id, value: await call(...input) };
  } catch (thrown) {
    const message = messageOf(thrown);
    return { kind: "refusal", id, message, aboutKey: thrown instanceof SecretError };
  }
}
