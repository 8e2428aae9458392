import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createClone } from "../page/clone.ts";
import { isolatedSource, mainWorldSource, type Names } from "../page/source.ts";
import type { Session } from "./cdp.ts";
import type { FromPage, ToPage } from "./messages.ts";

/** Sends messages to the preload of the current document. */
export interface PageLink {
  send(message: ToPage): void;
}

/** The browser handles one long argument much more slowly than several short ones. */
const PIECE_CHARACTERS = 2 ** 20;

const clone = createClone({
  encode: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
  decode: (text) => Buffer.from(text, "base64"),
});

/**
 * Adds the preload to an isolated world of every future document. The names that connect the two sides are random for
 * each window, so that scripts of the page cannot guess them.
 */
export async function linkPage(
  session: Session,
  preload: string | undefined,
  onMessage: (message: FromPage) => void,
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
    // Ignore late messages of a previous document.
    if (call.executionContextId === contextId) onMessage(message);
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
          // As with Electron, the document may be gone by now.
          .catch(() => {});
      }
    },
  };
}

function secret(): string {
  return `_${randomUUID().replaceAll("-", "")}`;
}
