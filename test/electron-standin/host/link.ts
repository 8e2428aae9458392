import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createClone } from "../page/clone.ts";
import { isolatedSource, mainWorldSource, type Names } from "../page/source.ts";
import type { Session } from "./cdp.ts";
import type { FromPage, ToPage } from "./messages.ts";

/** Messages to the preload of the document that is there now. */
export interface PageLink {
  send(message: ToPage): void;
}

/** One long argument takes the browser much longer than several short ones. */
const PIECE_CHARACTERS = 2 ** 20;

const clone = createClone({
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
  decode: (text) => Buffer.from(text, "base64"),
});

/**
 * Puts the preload into an isolated world of every document to come. The names under which the two sides find each other
 * are secrets of this window: the page's own scripts cannot guess them.
 */
export async function linkPage(
  session: Session,
  preload: string | undefined,
  hear: (message: FromPage) => void,
): Promise<PageLink> {
  const world = "preload";
  const names: Names = {
    binding: secret(),
    receiver: secret(),
    toMainWorld: secret(),
    toIsolatedWorld: secret(),
    posted: secret(),
  };
  let contextId: number | null = null;

  session.on<{ name: string; payload: string; executionContextId: number }>("Runtime.bindingCalled", (call) => {
    if (call.name !== names.binding) return;
    const message = clone.decode(call.payload) as FromPage;
    if (message.t === "hello") contextId = call.executionContextId;
    // The last words of a document that was left are not those of the one that is there now.
    if (call.executionContextId === contextId) hear(message);
  });
  await Promise.all([
    session.send("Runtime.enable"),
    session.send("Runtime.addBinding", { name: names.binding, executionContextName: world }),
    session.send("Page.addScriptToEvaluateOnNewDocument", { source: mainWorldSource(names) }),
    session.send("Page.addScriptToEvaluateOnNewDocument", {
      worldName: world,
      source: isolatedSource(names, preload === undefined ? "" : readFileSync(preload, "utf8")),
    }),
  ]);

  return {
    send(message) {
      const text = clone.encode(message);
      for (let start = 0; start < text.length; start += PIECE_CHARACTERS) {
        const end = start + PIECE_CHARACTERS;
        if (contextId === null) return;
        session
          .send("Runtime.callFunctionOn", {
            executionContextId: contextId,
            functionDeclaration: `(piece, last) => ${names.receiver}(piece, last)`,
            arguments: [{ value: text.slice(start, end) }, { value: end >= text.length }],
            silent: true,
          })
          // The document may be left at any moment, as with Electron: then nobody listens any more.
          .catch(() => {});
      }
    },
  };
}

function secret(): string {
  return `_${randomUUID().replaceAll("-", "")}`;
}
