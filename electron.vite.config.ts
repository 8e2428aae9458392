import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import type { Plugin } from "vite";
import { licencesText, shipped } from "./scripts/licences.ts";
import { createFileNames } from "./scripts/programs.ts";
import { FONT_FILES, FONT_FOLDER } from "./src/formats/fonts.ts";

const source = (path: string): string => join(import.meta.dirname, "src", path);

/** The licences of everything that is shipped, as a module of the page. A build fails if one is missing. */
const licences = {
  name: "licences",
  resolveId: (id: string) => (id === "virtual:licences" ? `\0${id}` : null),
  load: (id: string) =>
    id === "\0virtual:licences"
      ? `export default ${JSON.stringify(licencesText(shipped(import.meta.dirname)))};`
      : null,
};

/** Files that no script imports: the fonts of PDF reports, and the guide for the command line. */
const readFiles: Plugin = {
  name: "read-files",
  generateBundle() {
    const fonts = join(import.meta.dirname, "node_modules", "@fontsource", "inter");
    const guide = join(import.meta.dirname, "docs", "guide");
    const pages = readdirSync(guide).filter((name) => name.endsWith(".md"));
    for (const [from, to, names] of [
      [fonts, FONT_FOLDER, FONT_FILES],
      [guide, "guide", pages],
    ] as const)
      for (const name of names)
        this.emitFile({ type: "asset", fileName: `${to}/${name}`, source: readFileSync(join(from, name)) });
  },
};

/** What draws the window is fetched together with the first script, and not only once that one asks for it. */
const preloadWindow: Plugin = {
  name: "preload-window",
  transformIndexHtml(_html, { bundle = {} }) {
    const chunks = Object.values(bundle).filter((c) => c.type === "chunk");
    const first = chunks.find((c) => c.isEntry);
    const window = chunks.find((c) => c.name === "window");
    if (!first || !window) throw new Error("The page has no first script, or none that draws the window.");
    return [window.fileName, ...window.imports]
      .filter((file) => file !== first.fileName && !first.imports.includes(file))
      .map((file) => ({
        tag: "link",
        attrs: { rel: "modulepreload", crossorigin: true, href: `./${file}` },
        injectTo: "head",
      }));
  },
};

/** What starts the processes and threads of the application. */
const PROGRAMS = {
  main: source("main/electron/main.ts"),
  "core-process": source("main/electron/core.ts"),
  core: source("main/app.ts"),
  cli: source("main/cli/run.ts"),
  zenith: source("main/cli/index.ts"),
  "web-shell": source("main/web/index.ts"),
  "web-core": source("main/web/core.ts"),
  demo: source("main/demo/index.ts"),
  "demo-worker": source("main/demo/worker.ts"),
  guest: source("main/app/files/guest/main.ts"),
  "guest-parser": source("main/app/files/guest/parser.ts"),
  "store-worker": source("main/store/thread/worker.ts"),
};

/**
 * The desktop application's bundles: the main process with the core and its threads, the preload
 * script and the page. What is native or brings WebAssembly stays outside the bundles, and only that is shipped as a package.
 */
export default defineConfig({
  main: {
    plugins: [readFiles],
    build: {
      externalizeDeps: {
        exclude: [
          "@internationalized/date",
          "@zip.js/zip.js",
          "commander",
          "any-ascii",
          "hucre",
          "hyparquet",
          "hyparquet-writer",
          "netcdfjs",
          "pdfkit",
          "undici",
          "ws",
          "zod",
        ],
      },
      rollupOptions: {
        input: PROGRAMS,
        // All in one folder: a thread's file is found beside the code that starts it, whichever chunk that is in.
        output: {
          format: "es",
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          codeSplitting: { groups: [{ name: createFileNames(PROGRAMS), includeDependenciesRecursively: false }] },
        },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script is one CommonJS file, which may import nothing but electron.
      externalizeDeps: false,
      rollupOptions: {
        input: { preload: source("preload/index.ts") },
        output: { format: "cjs", entryFileNames: "[name].cjs" },
      },
    },
  },
  renderer: {
    root: source("renderer"),
    // Relative, so that the page works under any origin and path.
    base: "./",
    plugins: [react(), tailwindcss(), licences, preloadWindow],
    resolve: { alias: { "#shared": source("shared") } },
    build: {
      rollupOptions: {
        input: source("renderer/index.html"),
        output: {
          codeSplitting: {
            groups: [
              { name: "policy", test: /renderer[\\/]policy\.ts$/, priority: 2 },
              // What connects to the core, which the window needs too: small, so that it runs first.
              { name: "start", tags: ["$initial"], priority: 1 },
              // One file for what several views share: dozens of small ones delay the start.
              { name: "shared", minShareCount: 2 },
            ],
          },
        },
      },
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      // Half as much to read at every start.
      minify: true,
      // Files of their own: the page's policy allows no code or fonts from data addresses.
      assetsInlineLimit: 0,
    },
  },
});
