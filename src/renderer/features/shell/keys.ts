import { type Command, type CommandId, COMMANDS } from "#shared/commands.ts";

/** The part of a `KeyboardEvent` that identifies a command. */
export interface KeyStroke extends Readonly<
  Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">
> {
  /** AltGr: on many keyboards the only way to type `[` and `]`; Windows reports it as Ctrl and Alt. */
  readonly isAltGraph: boolean;
}

const commands: readonly Command[] = COMMANDS;

/** Returns the command of an accelerator, or null. Accelerators also work while the user types. */
export function acceleratorCommand(stroke: KeyStroke, isMac: boolean): CommandId | null {
  const { ctrlKey, metaKey, altKey, shiftKey, isAltGraph } = stroke;
  const isMain = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (isAltGraph || (!isMain && (ctrlKey || metaKey))) return null;
  const key = latinKey(stroke).replace(/^arrow/, "");
  // Many programs use this key for Redo.
  if (key === "z" && isMain && shiftKey && !altKey) return "redo";
  const found = commands.find(({ accelerator }) => {
    if (accelerator === undefined) return false;
    const parts = accelerator.split("+");
    if (parts.at(-1)?.toLowerCase() !== key || parts.includes("CmdOrCtrl") !== isMain) return false;
    if (parts.includes("Alt") !== altKey) return false;
    // Characters such as "/" need Shift on some keyboards, so Shift only matters for letters and function keys.
    return parts.includes("Shift") === shiftKey || !/^(?:[a-z]|f\d+)$/.test(key);
  });
  return (found?.id as CommandId | undefined) ?? null;
}

/** Returns the command of a single key, or null. Single keys do not work while the user types. */
export function keyCommand(stroke: KeyStroke): CommandId | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph } = stroke;
  if (!isAltGraph && (ctrlKey || metaKey || altKey)) return null;
  // Caps Lock is ignored, Shift is not.
  const typed = shiftKey ? key : key.toLowerCase();
  return (commands.find((c) => c.key === typed)?.id as CommandId | undefined) ?? null;
}

/** Returns the Latin letter at the position of a key that types another script. */
function latinKey({ key, code }: KeyStroke): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  // oxlint-disable-next-line no-control-regex -- matches all of ASCII
  return (/^[\x00-\x7f]*$/.test(key) || letter === undefined ? key : letter).toLowerCase();
}

const MAC_SIGNS: Readonly<Record<string, string>> = { CmdOrCtrl: "⌘", Shift: "⇧", Alt: "⌥" };

const ARROW_SIGNS: Readonly<Record<string, string>> = { Left: "←", Right: "→" };

/** Formats as "Ctrl Shift R" or "⌘ K", the format of the component `Keys`. */
function acceleratorText(accelerator: string, isMac: boolean): string {
  const parts = accelerator.split("+").map((part) => ARROW_SIGNS[part] ?? part);
  if (isMac) return parts.map((part) => MAC_SIGNS[part] ?? part).join(" ");
  return parts.map((part) => (part === "CmdOrCtrl" ? "Ctrl" : part)).join(" ");
}

/** All keys of a command, single keys first. */
export function keysOf({ accelerator, key }: Command, isMac: boolean): readonly string[] {
  const single = key === undefined ? [] : [key.length === 1 ? key.toUpperCase() : key];
  return [...single, ...(accelerator === undefined ? [] : [acceleratorText(accelerator, isMac)])];
}

export const IS_MAC = typeof navigator !== "undefined" && navigator.platform.startsWith("Mac");
