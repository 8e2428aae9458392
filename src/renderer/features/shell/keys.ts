import { type Command, type CommandId, COMMANDS } from "#shared/commands.ts";

/** The part of a `KeyboardEvent` that says which command is meant. */
export interface Stroke {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** AltGr: on many keyboards the only way to `[` and `]`; Windows calls it Ctrl and Alt at once. */
  readonly isAltGraph: boolean;
}

const commands: readonly Command[] = COMMANDS;

/** The command whose accelerator was pressed: it works everywhere, also while typing. */
export function acceleratorCommand(stroke: Stroke, isMac: boolean): CommandId | null {
  const { ctrlKey, metaKey, altKey, shiftKey, isAltGraph } = stroke;
  const isMain = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (isAltGraph || (!isMain && (ctrlKey || metaKey))) return null;
  const key = latinKey(stroke).replace(/^arrow/, "");
  // Half of the programs have Redo here.
  if (key === "z" && isMain && shiftKey && !altKey) return "redo";
  const found = commands.find(({ accelerator }) => {
    if (accelerator === undefined) return false;
    const parts = accelerator.split("+");
    if (parts.at(-1)?.toLowerCase() !== key || parts.includes("CmdOrCtrl") !== isMain) return false;
    if (parts.includes("Alt") !== altKey) return false;
    // Signs such as "/" need Shift on some keyboards: only for letters and F1 it makes a difference.
    return parts.includes("Shift") === shiftKey || !/^(?:[a-z]|f\d+)$/.test(key);
  });
  return (found?.id as CommandId | undefined) ?? null;
}

/** The command of a single key, for when no one is typing. */
export function keyCommand(stroke: Stroke): CommandId | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey, isAltGraph } = stroke;
  if (!isAltGraph && (ctrlKey || metaKey || altKey)) return null;
  // With the caps lock on, F is still F; Shift F is something else.
  const typed = shiftKey ? key : key.toLowerCase();
  return (commands.find((c) => c.key === typed)?.id as CommandId | undefined) ?? null;
}

/** On keyboards of another script a letter is known by its place. */
function latinKey({ key, code }: Stroke): string {
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  // oxlint-disable-next-line no-control-regex -- the whole of ASCII
  return (/^[\x00-\x7f]*$/.test(key) || place === undefined ? key : place).toLowerCase();
}

const MAC_SIGNS: Readonly<Record<string, string>> = { CmdOrCtrl: "⌘", Shift: "⇧", Alt: "⌥" };

const ARROW_SIGNS: Readonly<Record<string, string>> = { Left: "←", Right: "→" };

/** "Ctrl Shift R", "⌘ K": parts with blanks between, as `Keys` wants them. */
export function acceleratorText(accelerator: string, isMac: boolean): string {
  const parts = accelerator.split("+").map((part) => ARROW_SIGNS[part] ?? part);
  if (isMac) return parts.map((part) => MAC_SIGNS[part] ?? part).join(" ");
  return parts.map((part) => (part === "CmdOrCtrl" ? "Ctrl" : part)).join(" ");
}

/** All keys of a command, the quickest first. */
export function keysOf({ accelerator, key }: Command, isMac: boolean): readonly string[] {
  const single = key === undefined ? [] : [key.length === 1 ? key.toUpperCase() : key];
  return [...single, ...(accelerator === undefined ? [] : [acceleratorText(accelerator, isMac)])];
}

export const IS_MAC = typeof navigator !== "undefined" && navigator.platform.startsWith("Mac");
