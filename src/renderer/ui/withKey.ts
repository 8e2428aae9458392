import { type CommandId, commandOf } from "#shared/commands.ts";

/** What a hint says of a button, with the single key that does the same: "Export (E)". */
export function withKey(text: string, id: CommandId): string {
  const { key, accelerator } = commandOf(id);
  const shown = key?.toUpperCase() ?? (accelerator?.includes("+") ? undefined : accelerator);
  return shown === undefined ? text : `${text} (${shown})`;
}
