import { useEffect } from "react";
import { type CommandId, isCommandId } from "#shared/commands.ts";
import { bridge } from "../../bridge/index.ts";
import { runCommand } from "../../stores/commands.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { topmostModal } from "../../ui/keepFocus.ts";
import { closeGaps } from "../gaps/useGapsOpen.ts";
import { acceleratorCommand, IS_MAC, keyCommand, type Stroke } from "./keys.ts";

/** Where letters are meant for what has the focus: fields, and lists in which one types to find. */
const TYPING = "input:not([type=checkbox],[type=radio],[type=range],[type=button]),textarea,select,[contenteditable]";
const OVERLAYS = "[role=menu],[role=listbox],[role=dialog]";

function strokeOf(event: KeyboardEvent): Stroke {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  return { key, code, ctrlKey, metaKey, altKey, shiftKey, isAltGraph: event.getModifierState("AltGraph") };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPING);
}

/** Under a dialog nothing is to change; the palette and the guide alone open over one. */
function isBlocked(command: CommandId): boolean {
  return command !== "palette" && command !== "guide" && topmostModal() !== null;
}

function onAccelerator(event: KeyboardEvent): void {
  const command = event.isComposing ? null : acceleratorCommand(strokeOf(event), IS_MAC);
  // Alt and an arrow go from word to word in a field, and from page to page in the guide.
  if (command === null || (event.altKey && (isTyping(event.target) || isBlocked(command)))) return;
  // A field takes back what was typed in it.
  if ((command === "undo" || command === "redo") && isTyping(event.target)) return;
  // Also where there is nothing to run now: else the browser bookmarks the page, or the menu does it once more.
  event.preventDefault();
  event.stopPropagation();
  if (!isBlocked(command) && !event.repeat) runCommand(command);
}

function onSingleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const command = keyCommand(strokeOf(event));
  const { target } = event;
  if (isTyping(target) || (target instanceof Element && target.closest(OVERLAYS))) return;
  // Out of the last thing that is open, when nothing else took the key.
  if (event.key === "Escape" && topmostModal() === null) closeLast();
  if (command === null || !useSettings.getState().settings.singleKeys || isBlocked(command)) return;
  if (runCommand(command)) event.preventDefault();
}

function closeLast(): void {
  if (useWorkspace.getState().isDrawerOpen) useWorkspace.setState({ isDrawerOpen: false });
  else closeGaps();
}

/** The one listener for keys, and for the menu of the system: both run the commands of the palette. */
export function useKeys(): void {
  useEffect(() => {
    // Accelerators before anyone else sees them; single keys only where no one took them.
    addEventListener("keydown", onAccelerator, { capture: true });
    addEventListener("keydown", onSingleKey);
    const unfollow = bridge.on("command", ({ command }) => {
      if (isCommandId(command) && !isBlocked(command)) runCommand(command);
    });
    return () => {
      removeEventListener("keydown", onAccelerator, { capture: true });
      removeEventListener("keydown", onSingleKey);
      unfollow();
    };
  }, []);
}
