import { EXIT } from "../exit.ts";
import { REQUIRED_SYSTEM, VERSION } from "../../program.ts";
import { orStop } from "../shell.ts";
import { type AddCommand, examples } from "./types.ts";

export const addVersion: AddCommand = (program, run) => {
  program
    .command("version")
    .summary("show the version and what it needs, and check for a newer one")
    .description(
      "Shows the version, and which system it needs. With --check, requests the newest release from the release feed over HTTPS, without the key, this " +
        "version or any other data of yours. Without --check, sends nothing. Installs nothing.",
    )
    .option("--check", "check for a newer version")
    .addHelpText("after", examples(["version", ""], ["version --check", ""]))
    .action(
      run(async ({ output, signal }, { check }: { check?: boolean }) => {
        if (!check) {
          output.document("version", { programVersion: VERSION, requires: REQUIRED_SYSTEM });
          output.print([VERSION, `${REQUIRED_SYSTEM}.`]);
          return EXIT.ok;
        }
        const { checkReleases } = await import("../../app/releases.ts");
        const { newer, address } = orStop(await checkReleases(undefined, signal));
        output.document("version", { programVersion: VERSION, newer, address });
        if (newer === null) output.print(`${VERSION} is the newest version.`);
        else {
          const published = newer.date === null ? "" : ` of ${newer.date}`;
          output.print([
            `Version ${newer.version}${published} is available at ${address}; this is ${VERSION}.`,
            ...newer.notes.map((note) => `- ${note}`),
          ]);
        }
        return EXIT.ok;
      }),
    );
};
