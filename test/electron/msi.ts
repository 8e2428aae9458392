import { createRequire } from "node:module";
import { join } from "node:path";
import type { Configuration } from "electron-builder";

// Runs the code with which electron-builder prepares an MSI.

const root = join(import.meta.dirname, "..", "..");
const inside = createRequire(join(root, "node_modules", "app-builder-lib", "package.json"));
// Its modules have circular imports, which work only when this one is loaded first.
inside("./out/index.js");
const { default: MsiTarget } = inside("./out/targets/MsiTarget.js") as {
  default: new (
    packager: object,
    folder: string,
  ) => {
    writeManifest(folder: string, arch: number, options: object): Promise<string>;
  };
};
const { getEffectiveOptions } = inside("./out/options/CommonWindowsInstallerConfiguration.js") as {
  getEffectiveOptions(options: object, packager: object): object;
};
const { resolveFunction } = inside("./out/util/resolve.js") as {
  resolveFunction(type: "module", hook: unknown, name: string, root: string): Promise<(path: string) => Promise<void>>;
};
const { DOMParser } = inside("@xmldom/xmldom") as {
  DOMParser: new (options: { errorHandler(level: string, message: string): void }) => {
    parseFromString(text: string, type: "text/xml"): unknown;
  };
};

const X64 = 1;

/** The WiX project of an MSI that installs the files of a folder. */
export function msiProject(config: Configuration, folder: string): Promise<string> {
  const productName = "Zenith Desk";
  const packager = {
    config,
    platformSpecificBuildOptions: { ...config.win },
    compression: "normal",
    fileAssociations: [],
    getIconPath: () => Promise.resolve(null),
    appInfo: {
      id: config.appId,
      productName,
      productFilename: productName,
      sanitizedProductName: productName,
      sanitizedName: "zenith-desk",
      description: "",
      getVersionInWeirdWindowsForm: () => "0.1.0.0",
    },
  };
  const options = getEffectiveOptions(packager.platformSpecificBuildOptions, packager);
  return new MsiTarget(packager, folder).writeManifest(folder, X64, options);
}

/** The hook of the configuration that electron-builder calls with the path of a project. */
export function projectHook(config: Configuration): Promise<(path: string) => Promise<void>> {
  return resolveFunction("module", config.msiProjectCreated, "msiProjectCreated", root);
}

function refuse(level: string, message: string): never {
  throw new Error(`${level}: ${message}`);
}

/** @throws if the text is not well-formed XML */
export function wellFormed(text: string): void {
  new DOMParser({ errorHandler: refuse }).parseFromString(text, "text/xml");
}
