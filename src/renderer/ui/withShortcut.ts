import { type CommandId, commandOf } from "#shared/commands.ts";

/** Adds a command's single key to the tooltip of a button: "Export (E)". */
export function withShortcut(text: string, id: CommandId): string {
  const { key, accelerator } = commandOf(id);
  const shown = key?.toUpperCase() ?? (accelerator?.includes("+") ? undefined : accelerator);
  return shown === undefined ? text : `${text} (${shown})`;
}
