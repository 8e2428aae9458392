import { cleanupOf } from "#shared/async.ts";
import { useEffect } from "react";
import { type CommandId, isCommandId } from "#shared/commands.ts";
import { useIsFile } from "../../stores/connection.ts";
import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { runCommand, useCommand } from "../../stores/commands.ts";
import { closeDialog, isDialogOpen, openDialog } from "../../stores/dialogs.ts";
import { useSettings } from "../../stores/settings.ts";
import { orShowFault } from "../../stores/toasts.ts";
import { redo, undo, useUndoStack } from "../../stores/undoStack.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import { topmostModal } from "../../ui/keepFocus.ts";
import { enterView, moveRegion } from "../../ui/regions.ts";
import { READ_ONLY_REASON } from "../fetch/SelectionBar.tsx";
import { GAPS_OPEN } from "../gaps/GapToggle.tsx";
import { closeGuide, pageOfWindow, toggleGuide } from "../guide/open.ts";
import { newSchedule } from "../schedules/draft.ts";
import { acceleratorCommand, IS_MAC, keyCommand, type KeyStroke } from "./keys.ts";

function togglePalette(): void {
  // A command from the palette must not act below the guide.
  closeGuide();
  if (isDialogOpen("palette")) closeDialog("palette");
  else openDialog({ kind: "palette" });
}

/** Registers the commands that are available with or without a connection. A component, so that they render nothing else. */
export function WindowCommands(): null {
  const { newWindow } = useCapabilities();
  const change = useSettings((s) => s.change);
  useCommand("palette", togglePalette);
  useCommand("region.next", () => moveRegion(1));
  useCommand("region.previous", () => moveRegion(-1));
  useCommand("connect", () => openDialog({ kind: "connect" }));
  useCommand("guide", () => toggleGuide(pageOfWindow()));
  useCommand("shortcuts", () => openDialog({ kind: "shortcuts" }));
  const canUndo = useUndoStack((s) => s.done.length > 0);
  const canRedo = useUndoStack((s) => s.undone.length > 0);
  useCommand("undo", undo, canUndo);
  useCommand("redo", redo, canRedo);
  useCommand("log", () => openDialog({ kind: "log" }));
  useCommand("about", () => openDialog({ kind: "about" }));
  useCommand("new-window", () => void orShowFault(bridge.system.newWindow({})), newWindow);
  useCommand("theme.system", () => void change({ theme: "system" }));
  useCommand("theme.light", () => void change({ theme: "light" }));
  useCommand("theme.dark", () => void change({ theme: "dark" }));
  return null;
}

function exploreThen(run: () => void): void {
  useWorkspace.setState({ section: "explore" });
  // The command is only registered once the section is rendered.
  setTimeout(run);
}

function enterSection(section: Workspace["section"]): void {
  useWorkspace.setState({ section });
  enterView(section);
}

/** Registers the commands of the sections. In other sections, those of Explore go there first. */
export function RoomCommands(): null {
  const isElsewhere = useWorkspace((s) => s.section !== "explore");
  useCommand("morning", () => enterSection("morning"));
  useCommand("schedules", () => enterSection("schedules"));
  useCommand("storage", () => enterSection("storage"));
  useCommand("settings", () => enterSection("settings"));
  useCommand("search", () => exploreThen(() => runCommand("search")), isElsewhere);
  const isFile = useIsFile();
  useCommand("fetch", () => exploreThen(() => runCommand("fetch")), isElsewhere && (isFile ? READ_ONLY_REASON : true));
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  useCommand("schedules.new", () => newSchedule(), !isFile && hasStations);
  useCommand("export", () => exploreThen(() => runCommand("export")), isElsewhere);
  return null;
}

/** Elements that receive typed letters. */
const TYPING = "input:not([type=checkbox],[type=radio],[type=range],[type=button]),textarea,select,[contenteditable]";
const OVERLAYS = "[role=menu],[role=listbox],[role=dialog]";
/** The button of a drop-down list while the list is closed. */
const CLOSED_LIST = "[aria-haspopup=listbox][aria-expanded=false]";

function keyStrokeOf(event: KeyboardEvent): KeyStroke {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event;
  return { key, code, ctrlKey, metaKey, altKey, shiftKey, isAltGraph: event.getModifierState("AltGraph") };
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPING);
}

/** Dialogs block all commands except the palette and the guide. */
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

/** Keeps the keys of commands from closed lists, which would choose the next value with that first letter instead. */
function onClosedList(event: KeyboardEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || !target.matches(CLOSED_LIST) || target.closest(OVERLAYS)) return;
  if (keyCommand(keyStrokeOf(event)) === null || !useSettings.getState().settings.singleKeys) return;
  event.stopPropagation();
  onSingleKey(event);
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
  else if (GAPS_OPEN.of(useWorkspace.getState())) GAPS_OPEN.set(false);
}

/** Undoes typing in the focused text field, for the system's menu. @returns whether there is such a field */
function undoneInField(command: CommandId): boolean {
  if ((command !== "undo" && command !== "redo") || !isTyping(document.activeElement)) return false;
  // Deprecated, but nothing else reaches the history of a field.
  document.execCommand(command);
  return true;
}

/** Listens to keys and to the system's menu, and runs their commands. */
export function useKeys(): void {
  useEffect(() => {
    // Accelerators are handled before any element, single keys after all of them.
    const stop = new AbortController();
    addEventListener("keydown", onAccelerator, { capture: true, signal: stop.signal });
    addEventListener("keydown", onClosedList, { capture: true, signal: stop.signal });
    addEventListener("keydown", onSingleKey, stop);
    const unfollow = bridge.on("command", ({ command }) => {
      if (!isCommandId(command) || undoneInField(command)) return;
      if (!isBlocked(command)) runCommand(command);
    });
    return cleanupOf(() => stop.abort(), unfollow);
  }, []);
}
