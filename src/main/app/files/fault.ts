import type { AppFault, FaultKind } from "#shared/fault.ts";
import type { FormatError, FormatErrorKind } from "#formats/error.ts";

const KINDS: Partial<Record<FormatErrorKind, FaultKind>> = {
  cancelled: "cancelled",
  noPermission: "disk",
  noFolder: "disk",
  noSpace: "disk",
  io: "disk",
};

/** The fault of a file that cannot be read. Replaces the path of a temporary copy by the name that the user knows. */
export function fileFault(
  { kind, message, cause }: FormatError,
  { path, name }: { readonly path: string; readonly name: string },
): AppFault {
  const said = message.replaceAll(path, name);
  return { kind: KINDS[kind] ?? "usage", message: said.includes(name) ? said : `${name}: ${said}`, cause };
}
