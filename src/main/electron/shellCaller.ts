import { messageOf } from "#shared/thrown.ts";
import { SecretError } from "../secrets/storedKey.ts";
import type { FromCoreProcess, ShellCalls, ToCoreProcess } from "./messages.ts";

type Answered = Extract<ToCoreProcess, { readonly kind: "answer" | "refusal" }>;

/** Calls of the core to the main process. */
export interface ShellCaller {
  ask<Name extends keyof ShellCalls>(name: Name, ...input: Parameters<ShellCalls[Name]>): ReturnType<ShellCalls[Name]>;
  answered(message: Answered): void;
}

export function createShellCaller(post: (message: FromCoreProcess) => void): ShellCaller {
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

/** Handles a call of the core in the main process. */
export async function answerCall(
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
