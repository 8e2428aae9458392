import type { BridgeHandlers } from "#shared/bridge/contract.ts";
import { contract } from "#shared/bridge/contract.ts";
import type { CallContext, Method } from "#shared/bridge/method.ts";
import type { CoreChannel, ToCore } from "#shared/bridge/transport/protocol.ts";
import type { AppFault } from "#shared/fault.ts";
import { failure, type Result } from "#shared/service/error.ts";
import type { z } from "zod";
import type { Events } from "../app/events.ts";
import { log } from "../log/index.ts";
import { faultOf } from "../fault.ts";

type Answer = Result<unknown, AppFault>;
type AnyMethod = Method<z.ZodType, unknown>;
type AnyHandler = (input: unknown, context: CallContext) => Answer | Promise<Answer>;

/**
 * Answers the calls of one window and sends it events until the channel closes, which cancels its pending calls.
 * Validates input, so that handlers receive only what the contract allows.
 */
export function serveChannel(
  handlers: BridgeHandlers,
  events: Events,
  channel: CoreChannel,
  windowId: number | null,
): void {
  const pending = new Map<number, AbortController>();
  const unsubscribe = events.subscribe((event) => channel.send({ event }));
  const reply = async (id: number, name: string, input: unknown, signal: AbortSignal): Promise<void> => {
    const answered = await answer(handlers, name, input, { signal, windowId });
    pending.delete(id);
    if (signal.aborted) return;
    try {
      channel.send({ id, answer: answered });
    } catch (thrown) {
      channel.send({ id, answer: failure(faultOf(thrown)) });
    }
  };
  const end = (): void => {
    unsubscribe();
    for (const control of pending.values()) control.abort();
  };
  channel.onMessage((message) => {
    // Input from outside may be anything. A page of this program sends no such message.
    if (!isMessage(message)) {
      end();
      channel.close();
      return;
    }
    if ("cancel" in message) {
      pending.get(message.id)?.abort();
      return;
    }
    const { id } = message;
    if (pending.has(id)) return;
    const control = new AbortController();
    pending.set(id, control);
    void reply(id, message.call, message.input, control.signal);
  });
  channel.onClose(end);
}

async function answer(handlers: BridgeHandlers, name: string, input: unknown, context: CallContext): Promise<Answer> {
  const [domain = "", method = ""] = name.split(".");
  const declared = ownProperty<Record<string, AnyMethod>>(contract, domain);
  const schema = declared && ownProperty<AnyMethod>(declared, method);
  const handler = ownProperty<AnyHandler>(ownProperty(handlers, domain) ?? {}, method);
  if (!schema || !handler) return failure({ kind: "usage", message: `There is no function “${name}”.`, cause: null });
  const checked = schema.input.safeParse(input);
  if (!checked.success) return failure(inputFault(name, checked.error));
  try {
    const answered = await handler(checked.data, context);
    if (!answered.ok) logFault(name, answered.error);
    return answered;
  } catch (thrown) {
    const fault = faultOf(thrown);
    // Errors of cancelled calls are not logged.
    if (!context.signal.aborted) logFault(name, fault);
    return failure(fault);
  }
}

/** Logs a fault that a window shows, with its cause. Usage errors and cancellations are not logged. */
function logFault(name: string, { kind, message, cause }: AppFault): void {
  if (kind === "usage" || kind === "cancelled") return;
  const said = `${name}: ${message}`;
  if (kind === "core") log.error(said, cause);
  else log.warn(said, cause);
}

function isMessage(message: unknown): message is ToCore {
  if (typeof message !== "object" || message === null) return false;
  if (!("id" in message) || !Number.isSafeInteger(message.id)) return false;
  return "cancel" in message || ("call" in message && typeof message.call === "string");
}

/** Own properties only: a name from outside must not reach inherited ones. */
function ownProperty<T>(object: object, key: string): T | undefined {
  return Object.hasOwn(object, key) ? ((object as Record<string, unknown>)[key] as T) : undefined;
}

function inputFault(name: string, error: z.ZodError): AppFault {
  const issue = error.issues[0];
  const where = issue?.path.join(".") ?? "";
  // Only the field and the rule, never values: one of them may be a key.
  const message = `This request is invalid: ${where ? `${where}: ` : ""}${issue?.message ?? "wrong input"}.`;
  return { kind: "usage", message, cause: `${name} ${where}` };
}
