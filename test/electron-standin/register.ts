import { registerHooks } from "node:module";
import { settings } from "./host/settings.ts";

// `node --import register.ts out/main/main.js` runs the built program with the stand-in as the module "electron".

const STANDIN = new URL("./host/electron.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "electron" || specifier === "electron/main"
      ? { url: STANDIN, shortCircuit: true }
      : next(specifier, context),
});

const versions = { ...process.versions, electron: settings.electronVersion, chrome: "0.0.0.0" };
Object.defineProperty(process, "versions", { value: Object.freeze(versions) });
Object.defineProperty(process, "type", { value: "browser" });
Object.defineProperty(process, "resourcesPath", { value: process.cwd() });
