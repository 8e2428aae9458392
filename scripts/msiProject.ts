// Called by electron-builder before it compiles the MSI (`msiProjectCreated` in electron-builder.yml).
import { readFile, writeFile } from "node:fs/promises";

/** GUIDs of the two components. They must never change, or an update would leave the PATH of the old version behind. */
const USER = "7D0B5A52-6D1E-4C57-9A0B-3C2E1F6B8A41";
const MACHINE = "E2B91C64-0F3A-4D8B-8E75-5A4C7D9016F3";

/**
 * Adds the folder of `zenith` to the PATH: of the installing user, or of all users if an administrator installs for all
 * (`msiexec ALLUSERS=1`). Uninstalling removes it.
 */
function pathComponent(scope: "User" | "Machine", guid: string, condition: string): string {
  const isMachine = scope === "Machine";
  return `<Component Id="PathOf${scope}" Guid="${guid}">
        <Condition>${condition}</Condition>
        <RegistryValue Root="${isMachine ? "HKLM" : "HKCU"}" Key="Software\\Zenith Desk" Name="Path" Type="integer" Value="1" KeyPath="yes"/>
        <Environment Id="${scope}Path" Name="PATH" Action="set" Part="last" Permanent="no" System="${isMachine ? "yes" : "no"}" Value="[APPLICATIONFOLDER]resources\\bin"/>
      </Component>`;
}

const END = "</ComponentGroup>";

/** Adds the PATH components to a project. @throws Error if the format of electron-builder's project has changed */
export function withPath(project: string): string {
  const [before, after, ...more] = project.split(END);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error("The MSI's project has no single group of components, to which the PATH could be added.");
  if (!/\\resources[\\/]bin[\\/]zenith\.cmd"/.test(before.replaceAll("/", "\\")))
    throw new Error("The MSI does not hold the command line that it puts on the PATH.");
  const components = [
    pathComponent("User", USER, "NOT ALLUSERS"),
    pathComponent("Machine", MACHINE, "ALLUSERS = 1"),
  ].join("\n      ");
  return `${before}  ${components}\n    ${END}${after}`;
}

export async function msiProjectCreated(path: string): Promise<void> {
  await writeFile(path, withPath(await readFile(path, "utf8")));
}
