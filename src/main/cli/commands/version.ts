import { REQUIRED_SYSTEM, VERSION } from "../../program.ts";
import { command } from "../command.ts";
import { orStop } from "../shell.ts";

export const addVersion = command({
  description:
    "Shows the version, and which system it needs. With --check, requests the newest release from the release feed over HTTPS, without the key, this " +
    "version or any other data of yours. Without --check, sends nothing. Installs nothing.",
  words: { "--check": "check for a newer version" },
  examples: [
    ["version", ""],
    ["version --check", ""],
  ],
  async run({ output, signal }, { check }) {
    if (!check) {
      output.document("version", { programVersion: VERSION, requires: REQUIRED_SYSTEM });
      return output.print([VERSION, `${REQUIRED_SYSTEM}.`]);
    }
    const { checkReleases } = await import("../../app/releases.ts");
    const { newer, address } = orStop(await checkReleases(undefined, signal));
    output.document("version", { programVersion: VERSION, newer, address });
    if (newer === null) return output.print(`${VERSION} is the newest version.`);
    const published = newer.date === null ? "" : ` of ${newer.date}`;
    output.print([
      `Version ${newer.version}${published} is available at ${address}; this is ${VERSION}.`,
      ...newer.notes.map((note) => `- ${note}`),
    ]);
  },
});
