import type { CDPSession } from "playwright-core";
import { WebSocket } from "ws";

type Send = CDPSession["send"];
type Handler = (params: never) => void;

/** A session with a target of the browser, or with the browser. The types are those of Playwright. */
export interface Session {
  readonly send: Send;
  on<Params>(event: string, handler: (params: Params) => void): void;
}

export interface Cdp {
  readonly browser: Session;
  session(sessionId: string): Session;
  forget(sessionId: string): void;
  close(): void;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The browser's debugging protocol over one socket. Commands keep their order. */
export async function connectCdp(address: string, onClosed: () => void): Promise<Cdp> {
  const socket = new WebSocket(address, { perMessageDeflate: false, maxPayload: 2 ** 30 });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const handlers = new Map<string, Map<string, Handler[]>>();
  let lastId = 0;

  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.id === undefined) {
      const listening = handlers.get(message.sessionId ?? "")?.get(message.method ?? "") ?? [];
      for (const handler of listening) handler(message.params as never);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) call?.reject(new Error(message.error.message));
    else call?.resolve(message.result);
  });
  socket.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("The browser is gone."));
    waiting.clear();
    onClosed();
  });

  function session(sessionId: string): Session {
    const own = handlers.get(sessionId) ?? new Map<string, Handler[]>();
    handlers.set(sessionId, own);
    const send = (method: string, params: object = {}): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }), (error) => {
          if (error) reject(error);
        });
      });
    return {
      send: send as Send,
      on: (event, handler) => void own.set(event, [...(own.get(event) ?? []), handler]),
    };
  }

  return {
    browser: session(""),
    session,
    forget: (sessionId) => void handlers.delete(sessionId),
    close: () => socket.close(),
  };
}
