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

/** Stricter walls for the pure parts of main: planner and analysis. */
function pure(part: "planner" | "analysis"): Wall {
  const others = ["client", "planner", "store", "sync", "analysis", "export", "demo", "app", ...SHELLS];
  return {
    files: `src/main/${part}/**`,
    parts: ["formats", ...CORE.parts],
    mainParts: others.filter((other) => other !== part),
    packages: ["node", ...CORE.packages],
  };
}

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
  pure("planner"),
  pure("analysis"),
  { files: "src/main/store/**", ...CORE, packages: ["electron", "network"], mainParts: SHELLS },
  {
    files: "src/main/client/**",
    ...CORE,
    packages: ["sqlite", "electron"],
    mainParts: SHELLS,
    mayUseNetworkGlobals: true,
  },
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
