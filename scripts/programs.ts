interface Graph {
  getModuleInfo(id: string): {
    readonly importedIds: readonly string[];
    readonly dynamicallyImportedIds: readonly string[];
  } | null;
}

/** What these import later counts as well: a thread must never load the code of the whole core. */
const THREADS: ReadonlySet<string> = new Set(["demo-worker", "store-worker", "guest", "guest-parser"]);

/**
 * Names bundled files by the programs that need the modules in them: modules that the same programs need at their start
 * are one file, because to find and open a file takes longer than to read it, and no program loads code that only others
 * need. Modules that programs import later, such as commands and formats, are files of their own. So is the start of a
 * program: files that it imports later may not wait for its end.
 *
 * @param programs the modules that start processes and threads, by name
 */
export function createFileNames(
  programs: Readonly<Record<string, string>>,
): (id: string, graph: Graph) => string | null {
  // With slashes on every system, as the bundler names modules.
  const starts = Object.entries(programs).map(([name, path]) => [name, path.replaceAll("\\", "/")] as const);
  const needs = new Map<string, ReadonlySet<string>>();
  return (id, graph) => {
    if (needs.size === 0)
      for (const [name, start] of starts) needs.set(name, neededBy(start, graph, THREADS.has(name)));
    if (starts.some(([, start]) => start === id)) return null;
    const names = [...needs].filter(([, ids]) => ids.has(id)).map(([name]) => name);
    return names.length === 0 ? null : names.join("_");
  };
}

function neededBy(start: string, graph: Graph, isThread: boolean): ReadonlySet<string> {
  if (graph.getModuleInfo(start) === null) throw new Error(`${start} starts no program of this build.`);
  const ids = new Set([start]);
  for (const id of ids) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const next of isThread ? [...importedIds, ...dynamicallyImportedIds] : importedIds) ids.add(next);
  }
  return ids;
}
