import packageJson from "../../package.json" with { type: "json" };

/** Name and version of this program, as files and requests carry it. */
export const PROGRAM = `Zenith Desk ${packageJson.version}`;
export const VERSION: string = packageJson.version;
