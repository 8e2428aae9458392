import { useConnection } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { isPageId, type PageId } from "./contents.ts";

/** The page about what the window shows; null on the first screen, where the guide opens as it was left. */
export function pageOfWindow(): PageId | null {
  if (useConnection.getState().current === null) return null;
  const { room, view } = useWorkspace.getState();
  if (room === "storage") return "storage";
  if (room === "schedules") return "schedules";
  if (room === "settings") return "keyboard";
  return isPageId(view) ? view : "series";
}
