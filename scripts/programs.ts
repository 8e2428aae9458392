import { join } from "node:path";

/** With slashes on every system, as the bundler names modules. */
const SOURCES = join(import.meta.dirname, "..", "src", "main").replaceAll("\\", "/");

/** The modules that start the processes and threads of the application. */
const STARTS = {
  cli: "cli/index.ts",
  core: "app.ts",
  main: "electron/main.ts",
  web: "web/index.ts",
  demo: "demo/worker.ts",
  store: "store/thread/worker.ts",
  guest: "app/files/guest/main.ts",
  parser: "app/files/guest/parser.ts",
} as const;
const PATHS: readonly string[] = Object.values(STARTS).map((path) => `${SOURCES}/${path}`);
/** What these import later counts as well: a thread must never load the whole core. */
const THREADS: ReadonlySet<string> = new Set(["demo", "store", "guest", "parser"]);

interface Graph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/**
 * Names bundled files by the programs that need the modules in them: modules that the same programs need at their start
 * are one file, because to find and open a file takes longer than to read it. Modules that programs import later, such
 * as commands and formats, are files of their own. So is the start of a program: files that it imports later may not wait
 * for its end.
 */
export function createFileNames(): (id: string, graph: Graph) => string | null {
  const needs = new Map<string, ReadonlySet<string>>();
  return (id, graph) => {
    if (PATHS.includes(id)) return null;
    for (const [name, path] of needs.size > 0 ? [] : Object.entries(STARTS))
      needs.set(name, neededBy(`${SOURCES}/${path}`, graph, THREADS.has(name)));
    return (
      [...needs]
        .filter(([, ids]) => ids.has(id))
        .map(([name]) => name)
        .join("-") || null
    );
  };
}

function neededBy(start: string, graph: Graph, isThread: boolean): ReadonlySet<string> {
  const ids = new Set([start]);
  for (const id of ids) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const next of isThread ? [...importedIds, ...dynamicallyImportedIds] : importedIds) ids.add(next);
  }
  return ids;
}
