import { useEffect } from "react";
import { type CommandId, isCommandId } from "#shared/commands.ts";
import { bridge } from "../../bridge/index.ts";
import { runCommand } from "../../stores/commands.ts";
import { useSettings } from "../../stores/settings.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { topmostModal } from "../../ui/keepFocus.ts";
import { closeGaps } from "../gaps/GapToggle.tsx";
import { acceleratorCommand, IS_MAC, keyCommand, type KeyStroke } from "./keys.ts";

/** Elements that receive typed letters. */
const TYPING = "input:not([type=checkbox],[type=radio],[type=range],[type=button]),textarea,select,[contenteditable]";
const OVERLAYS = "[role=menu],[role=listbox],[role=dialog]";

function keyStrokeOf(event: KeyboardEvent): KeyStroke {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  return { key, code, ctrlKey, metaKey, altKey, shiftKey, isAltGraph: event.getModifierState("AltGraph") };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPING);
}

/** Dialogs block commands, except those that open the palette and the guide. */
function isBlocked(command: CommandId): boolean {
  return command !== "palette" && command !== "guide" && topmostModal() !== null;
}

function onAccelerator(event: KeyboardEvent): void {
  const command = event.isComposing ? null : acceleratorCommand(keyStrokeOf(event), IS_MAC);
  // Alt with an arrow key moves by words in a text field, and through the history in the guide.
  if (command === null || (event.altKey && (isTyping(event.target) || isBlocked(command)))) return;
  // A text field has its own undo.
  if ((command === "undo" || command === "redo") && isTyping(event.target)) return;
  // Also if the command is unavailable: otherwise the browser or the menu would handle the key.
  event.preventDefault();
  event.stopPropagation();
  if (!isBlocked(command) && !event.repeat) runCommand(command);
}

function onSingleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const command = keyCommand(keyStrokeOf(event));
  const { target } = event;
  if (isTyping(target) || (target instanceof Element && target.closest(OVERLAYS))) return;
  // Escape closes the last opened pane, unless something else handled it.
  if (event.key === "Escape" && topmostModal() === null) closeLast();
  if (command === null || !useSettings.getState().settings.singleKeys || isBlocked(command)) return;
  if (runCommand(command)) event.preventDefault();
}

function closeLast(): void {
  if (useWorkspace.getState().isDrawerOpen) useWorkspace.setState({ isDrawerOpen: false });
  else closeGaps();
}

/** Listens to keys and to the system's menu, and runs their commands. */
export function useKeys(): void {
  useEffect(() => {
    // Accelerators are handled before any element, single keys after all of them.
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
