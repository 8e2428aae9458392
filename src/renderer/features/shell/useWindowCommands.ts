import { bridge } from "../../bridge/index.ts";
import { useCapabilities } from "../../stores/capabilities.ts";
import { runCommand, useCommand } from "../../stores/commands.ts";
import { closeDialog, openDialog, useDialogs } from "../../stores/dialogs.ts";
import { useConnection } from "../../stores/connection.ts";
import { useSettings } from "../../stores/settings.ts";
import { redo, showFault, undo, useUndoStack } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { READ_ONLY_REASON } from "../fetch/FetchButton.tsx";
import { pageOfWindow, closeGuide, toggleGuide } from "../guide/open.ts";
import { newSchedule } from "../schedules/draft.ts";

async function openWindow(): Promise<void> {
  const answer = await bridge.system.newWindow({});
  if (!answer.ok) showFault(answer.error);
}

function togglePalette(): void {
  const { open } = useDialogs.getState();
  // A command from the palette must not act below the guide.
  closeGuide();
  if (open?.kind === "palette") closeDialog();
  else openDialog({ kind: "palette" });
}

/** Registers the commands that are available with or without a connection. */
export function useWindowCommands(): void {
  const { newWindow } = useCapabilities();
  const change = useSettings((s) => s.change);
  useCommand("palette", togglePalette);
  useCommand("connect", () => openDialog({ kind: "connect" }));
  useCommand("guide", () => toggleGuide(pageOfWindow()));
  useCommand("shortcuts", () => openDialog({ kind: "shortcuts" }));
  const canUndo = useUndoStack((s) => s.done.length > 0);
  const canRedo = useUndoStack((s) => s.undone.length > 0);
  useCommand("undo", undo, canUndo);
  useCommand("redo", redo, canRedo);
  useCommand("log", () => openDialog({ kind: "log" }));
  useCommand("about", () => openDialog({ kind: "about" }));
  useCommand("new-window", () => void openWindow(), newWindow);
  useCommand("theme.system", () => void change({ theme: "system" }));
  useCommand("theme.light", () => void change({ theme: "light" }));
  useCommand("theme.dark", () => void change({ theme: "dark" }));
}

function exploreThen(run: () => void): void {
  useWorkspace.setState({ room: "explore" });
  // The command is only registered once the section is rendered.
  setTimeout(run);
}

/** Registers the commands of the sections. In other sections, those of Explore go there first. */
export function useRoomCommands(): void {
  const isElsewhere = useWorkspace((s) => s.room !== "explore");
  useCommand("schedules", () => useWorkspace.setState({ room: "schedules" }));
  useCommand("storage", () => useWorkspace.setState({ room: "storage" }));
  useCommand("settings", () => useWorkspace.setState({ room: "settings" }));
  useCommand("search", () => exploreThen(() => runCommand("search")), isElsewhere);
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  useCommand("fetch", () => exploreThen(() => runCommand("fetch")), isElsewhere && (isFile ? READ_ONLY_REASON : true));
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  useCommand("schedules.new", () => newSchedule(), !isFile && hasStations);
  useCommand("export", () => exploreThen(() => runCommand("export")), isElsewhere);
}
