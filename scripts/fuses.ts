import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { FuseState, FuseV1Options, getCurrentFuseWire } from "@electron/fuses";

/** Required values in a release, by the names of electron-builder's configuration. */
export const REQUIRED_FUSES = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: true,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
} as const;

const WIRES: Readonly<Record<keyof typeof REQUIRED_FUSES, FuseV1Options>> = {
  runAsNode: FuseV1Options.RunAsNode,
  enableNodeOptionsEnvironmentVariable: FuseV1Options.EnableNodeOptionsEnvironmentVariable,
  enableNodeCliInspectArguments: FuseV1Options.EnableNodeCliInspectArguments,
  enableCookieEncryption: FuseV1Options.EnableCookieEncryption,
  enableEmbeddedAsarIntegrityValidation: FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
  onlyLoadAppFromAsar: FuseV1Options.OnlyLoadAppFromAsar,
  grantFileProtocolExtraPrivileges: FuseV1Options.GrantFileProtocolExtraPrivileges,
};

/**
 * Returns the names of a program's fuses with wrong values for a release.
 *
 * @param isInspectable a build for tests, which are driven through the inspector
 */
export async function wrongFuses(program: string, isInspectable: boolean): Promise<string[]> {
  const wire = await getCurrentFuseWire(program);
  const required = Object.entries({ ...REQUIRED_FUSES, enableNodeCliInspectArguments: isInspectable });
  return required.flatMap(([name, isOn]) => {
    const state = wire[WIRES[name as keyof typeof REQUIRED_FUSES]];
    return state === (isOn ? FuseState.ENABLE : FuseState.DISABLE) ? [] : [name];
  });
}

/** The program in each packed folder (`linux-unpacked`, `win-unpacked`, `mac-arm64` …) of electron-builder's output. */
export function packedPrograms(output: string): string[] {
  const candidates = ["zenith-desk", "Zenith Desk.exe", "Zenith Desk.app"];
  return readdirSync(output, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => candidates.map((name) => join(output, entry.name, name)).filter((path) => existsSync(path)));
}
