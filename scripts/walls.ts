/**
 * The import walls of the source, as one table. `oxlint.config.ts` turns each row into a lint rule; `test/walls.test.ts`
 * verifies each wall.
 */
export interface Wall {
  /** Files of the row. The last matching row applies to a file. */
  readonly files: string;
  /** Parts of `src/` that these files must not import. */
  readonly parts?: readonly Part[];
  /** Parts of `src/main/` that these files must not import. */
  readonly mainParts?: readonly string[];
  /** Kinds of packages that these files must not import. */
  readonly packages?: readonly Packages[];
  /** Whether these files may use network globals such as `fetch`. */
  readonly mayUseNetworkGlobals?: boolean;
}

export type Part = "formats" | "main" | "preload" | "renderer" | "service";
export type Packages = "electron" | "network" | "node" | "sqlite";

const SHELLS = ["electron", "web", "cli"] as const;
const CORE = { parts: ["service", "preload", "renderer"], packages: ["sqlite", "electron", "network"] } as const;

/** The layers of the core, and the layers below that each may import. */
const LAYERS = {
  planner: [],
  analysis: [],
  log: [],
  client: ["log"],
  store: ["analysis", "log"],
  sync: ["planner", "analysis", "log", "client", "store"],
  export: ["planner", "analysis", "log", "store", "sync"],
  app: ["planner", "analysis", "log", "client", "store", "sync", "export"],
  bridge: ["planner", "analysis", "log", "store", "app"],
  supervisor: ["log", "store", "app"],
} as const;

/** Layers of which others import only the files of the folder itself, such as its `index.ts`, and nothing in its folders. */
export const CLOSED_LAYERS = ["planner", "log", "client", "store", "sync", "export", "bridge", "supervisor", "cli"];

function layer(name: keyof typeof LAYERS, more: Omit<Wall, "files" | "mainParts"> = {}): Wall {
  const below: readonly string[] = LAYERS[name];
  const others = [...Object.keys(LAYERS), "demo", ...SHELLS];
  const mainParts = others.filter((other) => other !== name && !below.includes(other));
  return { files: `src/main/${name}/**`, ...CORE, mainParts, ...more };
}

/** Packages and parts that the pure layers must not import. */
const PURE = { parts: ["formats", ...CORE.parts], packages: ["node", ...CORE.packages] } as const;

export const WALLS: readonly Wall[] = [
  {
    files: "src/shared/**",
    parts: ["formats", "main", "preload", "renderer", "service"],
    packages: ["node", "sqlite", "electron", "network"],
  },
  {
    files: "src/formats/**",
    parts: ["main", "preload", "renderer", "service"],
    packages: ["sqlite", "electron", "network"],
  },
  {
    files: "src/service/**",
    parts: ["main", "preload", "renderer"],
    packages: ["sqlite", "electron"],
    mayUseNetworkGlobals: true,
  },
  { files: "src/main/**", ...CORE, mainParts: SHELLS },
  layer("planner", PURE),
  layer("analysis", PURE),
  layer("log"),
  layer("client", { packages: ["sqlite", "electron"], mayUseNetworkGlobals: true }),
  layer("store", { packages: ["electron", "network"] }),
  layer("sync"),
  layer("export"),
  layer("app"),
  layer("bridge"),
  layer("supervisor"),
  { files: "src/main/web/**", ...CORE, packages: ["sqlite", "electron"], mayUseNetworkGlobals: true },
  { files: "src/main/cli/**", ...CORE },
  { files: "src/main/demo/**", ...CORE, parts: ["preload", "renderer"], mainParts: SHELLS },
  { files: "src/main/electron/**", ...CORE, packages: ["sqlite", "network"] },
  {
    files: "src/preload/**",
    parts: ["formats", "main", "renderer", "service"],
    packages: ["node", "sqlite", "network"],
  },
  {
    files: "src/renderer/**",
    parts: ["formats", "main", "preload", "service"],
    packages: ["node", "sqlite", "electron", "network"],
  },
];
