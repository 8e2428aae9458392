import { settings } from "../host/settings.ts";
import { createClone } from "./clone.ts";
import { announcePorts, postAtOnce } from "./posting.ts";
import { createIpcRenderer } from "./renderer.ts";
import { createWorldBridge, dropTransferred } from "./worlds.ts";

export interface Names {
  readonly binding: string;
  readonly receiver: string;
  /** Events received in the main world of the page, and in the isolated one. */
  readonly toMainWorld: string;
  readonly toIsolatedWorld: string;
  readonly posted: string;
}

/** Only the main frame has a preload, and only with a document other than about:blank. */
const WHERE = `if (globalThis.top !== globalThis || location.href === "about:blank") return;`;

/** Runs in the main world of the page before its scripts: receives the exposed API of the preload. */
export function mainWorldSource({ toMainWorld, toIsolatedWorld, posted }: Names): string {
  return `(() => { ${WHERE} (${postAtOnce})(${JSON.stringify(posted)}); (${dropTransferred})(); (${createWorldBridge})(${JSON.stringify(toMainWorld)}, ${JSON.stringify(toIsolatedWorld)}); })();`;
}

/** Runs in the isolated world: the environment of a sandboxed preload, and the preload as one CommonJS module. */
export function isolatedSource(names: Names, preload: string): string {
  const { toMainWorld, toIsolatedWorld } = names;
  const about = {
    platform: process.platform,
    arch: process.arch,
    type: "renderer",
    sandboxed: true,
    contextIsolated: true,
  };
  return `(() => {
  ${WHERE}
  const clone = (${createClone})({ encode: (bytes) => bytes.toBase64(), decode: (text) => Uint8Array.fromBase64(text) });
  const worlds = (${createWorldBridge})(${JSON.stringify(toIsolatedWorld)}, ${JSON.stringify(toMainWorld)});
  const electron = Object.freeze({
    contextBridge: { exposeInMainWorld: worlds.expose },
    webUtils: {
      getPathForFile(file) {
        if (!(file instanceof File)) throw new TypeError("Object is not a File");
        const folder = ${JSON.stringify(settings.fileFolder)};
        return folder === null ? "" : folder + "/" + file.name;
      },
    },
    ipcRenderer: (${createIpcRenderer})(${JSON.stringify(names)}, clone, (${announcePorts})()),
  });
  const module = { exports: {} };
  const process = Object.freeze({ ...${JSON.stringify(about)}, versions: ${JSON.stringify(process.versions)} });
  const require = (name) => {
    if (name === "electron" || name === "electron/renderer") return electron;
    throw new Error("module not found: " + name);
  };
  (function (exports, require, module, process) {
${preload}
  })(module.exports, require, module, process);
})();`;
}
