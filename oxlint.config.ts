import { CLOSED_LAYERS, type Packages, type Part, type Wall, WALLS } from "./scripts/walls.ts";

const NETWORK_MESSAGE = "The network is used only in main/client, main/web and service.";

const PACKAGES: Record<Packages, { readonly group: readonly string[]; readonly message: string }> = {
  electron: { group: ["electron", "electron/*"], message: "Electron is used only in main/electron and preload." },
  network: {
    group: [
      "node:http",
      "node:https",
      "node:http2",
      "node:net",
      "node:tls",
      "node:dgram",
      "http",
      "https",
      "net",
      "undici",
      "ws",
    ],
    message: NETWORK_MESSAGE,
  },
  node: { group: ["node:*", "fs", "path", "os"], message: "This part runs anywhere: it imports no Node modules." },
  sqlite: { group: ["better-sqlite3"], message: "SQLite is used only in main/store." },
};

/** A path below a folder other than its `index.ts`; the linter's expressions have no lookahead. */
const INSIDE = "/(.+/|[^i]|i[^n]|in[^d])";
/** `formats` and `service` are libraries of their own. */
const INSIDES = [
  {
    regex: `^#formats/[^/]+${INSIDE}`,
    message: "Others import only files of src/formats itself, and the index.ts of its folders.",
  },
  { regex: `^#service${INSIDE}`, message: "Others import only src/service/index.ts." },
];
/** The folders of a layer are its own. */
const INSIDE_LAYERS = {
  regex: `^(#main|[.]|([.][.]/)*[.][.])/(${CLOSED_LAYERS.join("|")})/[^/]+/`,
  message: "Others import only files of a layer itself, not of its folders.",
};

/** Patterns of every way to write an import of a part of `src/`. */
function importsOf(part: Part, files: string): string[] {
  const alias = [`#${part}/*`, `#${part}/**`];
  // shared has a folder of this name itself.
  if (part === "service" && files.startsWith("src/shared/")) return [...alias, "../../service/**"];
  return [...alias, `../**/${part}/**`];
}

function importsWithinMain(part: string): string[] {
  const names = part === "app" ? ["app.ts", "app/**"] : [`${part}/**`];
  return names.flatMap((name) => ["#main/", "../", "../../", "../../../"].map((way) => way + name));
}

function rulesOf({ files, parts = [], mainParts = [], packages = [], mayUseNetworkGlobals = false }: Wall) {
  const folder = files.replace("/**", "");
  const patterns = [
    ...parts.map((part) => ({ group: importsOf(part, files), message: `${folder} does not import ${part}.` })),
    ...mainParts.map((part) => ({
      group: importsWithinMain(part),
      message: `${folder} does not import main/${part}.`,
    })),
    ...packages.map((kind) => PACKAGES[kind]),
    ...INSIDES,
    ...(files.startsWith("src/main/") ? [INSIDE_LAYERS] : []),
  ];
  return {
    files: [files],
    rules: {
      "no-restricted-imports": ["error", { patterns }],
      ...(mayUseNetworkGlobals ? { "no-restricted-globals": "off" } : {}),
    },
  };
}

const config = {
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "vitest", "react", "jsx-a11y"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["out", "dist", ".node", "demo-output", "**/*.as.ts"],
  rules: {
    "no-restricted-globals": [
      "error",
      ...["fetch", "WebSocket", "XMLHttpRequest"].map((name) => ({ name, message: NETWORK_MESSAGE })),
    ],
    eqeqeq: "error",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "import/no-default-export": "error",
    "typescript/await-thenable": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "unicorn/prefer-node-protocol": "error",
    "vitest/no-focused-tests": "error",
    "vitest/no-standalone-expect": ["error", { additionalTestBlockFunctions: ["itUnless", "itNightly"] }],

    "no-await-in-loop": "off",
    "no-console": "off",
    "no-shadow": "off",
    "no-underscore-dangle": "off",
    "unicorn/require-post-message-target-origin": "off",
    // The page is compiled with the automatic JSX runtime, and not by the React compiler, whose rules follow.
    "react/react-in-jsx-scope": "off",
    "react/exhaustive-effect-dependencies": "off",
    "react/globals": "off",
    "react/hooks": "off",
    "react/incompatible-library": "off",
    "react/memo-dependencies": "off",
    "react/preserve-manual-memoization": "off",
    "react/purity": "off",
    "react/refs": "off",
    "react/set-state-in-effect": "off",
    "react/rules-of-hooks": "off",
    // React Aria moves the focus into a dialog, and back to where it was.
    "jsx-a11y/no-autofocus": "off",
    // Areas that scroll can be focused, so that arrow keys scroll them; React Aria's roles have no tag of their own.
    "jsx-a11y/no-noninteractive-tabindex": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    // Keys and pointers reach a region from the controls within it; a press on anything else is wrong.
    "jsx-a11y/no-noninteractive-element-interactions": ["error", { handlers: ["onClick"] }],
    "jsx-a11y/control-has-associated-label": ["error", { ignoreElements: ["td"] }],
    // Most objects here are records of closures, whose functions use no `this`; methods of classes are passed in a function.
    "typescript/unbound-method": "off",
    // Bytes, JSON and the DOM enter with a type that a schema or a codec has just checked.
    "typescript/no-unsafe-type-assertion": "off",
    // TypeScript's own `noImplicitReturns` says the same of functions that state a type.
    "typescript/consistent-return": "off",
    "typescript/no-unnecessary-type-arguments": "off",
    "typescript/no-unnecessary-type-parameters": "off",
  },
  overrides: [
    ...WALLS.map(rulesOf),
    { files: ["{src,bench,scripts}/**"], rules: { "max-params": ["error", { max: 4 }] } },
    // WebAssembly takes numbers only.
    { files: ["src/**/*.as.ts"], rules: { "max-params": "off" } },
    {
      files: ["src/renderer/**"],
      rules: {
        "import/no-unassigned-import": ["error", { allow: ["**/*.css", "@fontsource-variable/*"] }],
        "react/rules-of-hooks": "error",
        "react/exhaustive-deps": "error",
      },
    },
    {
      files: ["test/**", "bench/**", "scripts/**"],
      rules: {
        "no-restricted-globals": "off",
        "typescript/no-misused-spread": "off",
        "typescript/require-array-sort-compare": "off",
        // Functions become the source of scripts for the page.
        "typescript/restrict-template-expressions": "off",
        "vitest/valid-title": ["error", { ignoreTypeOfTestName: true, ignoreTypeOfDescribeName: true }],
      },
    },
    { files: ["*.config.ts"], rules: { "import/no-default-export": "off" } },
  ],
};

export default config;
