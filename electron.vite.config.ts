import { join } from "node:path";
import { defineConfig } from "electron-vite";

const source = (path: string): string => join(import.meta.dirname, "src", path);

/**
 * Bundles for the desktop application. So far this is the core, which runs in a utility process, and the thread of the
 * demo service; windows, preload and renderer join them here. What is native or brings WebAssembly stays outside the
 * bundle and is shipped as its package.
 */
export default defineConfig({
  main: {
    build: {
      externalizeDeps: true,
      rollupOptions: {
        input: {
          core: source("main/app.ts"),
          demo: source("main/demo/index.ts"),
          "demo-worker": source("main/demo/worker.ts"),
        },
        output: { format: "es", entryFileNames: "[name].js" },
      },
    },
  },
});
