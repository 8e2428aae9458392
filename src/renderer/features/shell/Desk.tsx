import { useEffect, useRef, useState } from "react";
import { connectionName, useConnection } from "../../stores/connection.ts";
import { useReleaseWatch } from "../../stores/releases.ts";
import { followSchedules } from "../../stores/schedules.ts";
import { followUndo } from "../../stores/undoWorkspace.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { ExportDialog } from "../export/ExportDialog.tsx";
import { GroupsDialogs } from "../groups/GroupsDialogs.tsx";
import { JobsDrawer } from "../jobs/JobsDrawer.tsx";
import { ScheduleDialog } from "../schedules/ScheduleDialog.tsx";
import { Schedules } from "../schedules/Schedules.tsx";
import { Settings } from "../settings/Settings.tsx";
import { Storage } from "../storage/Storage.tsx";
import { Explore } from "./Explore.tsx";
import { Notices } from "./Notices.tsx";
import { Rail } from "./Rail.tsx";
import { StatusBar } from "./StatusBar.tsx";
import { TitleBar } from "./TitleBar.tsx";
import { useRoomCommands } from "./useWindowCommands.ts";
import { useShownView, ViewCommands } from "./Views.tsx";
import classes from "./shell.module.css";

/**
 * Announces a view that a command showed while the focus stayed elsewhere, such as in the station list. If the focus
 * moved into the view or along the navigation, a screen reader announces the element with the focus.
 */
function ViewStatus({ title }: { readonly title: string }) {
  const [said, setSaid] = useState("");
  const shown = useRef(title);
  useEffect(() => {
    if (shown.current === title) return;
    shown.current = title;
    // The focus of a removed view moves in the same task.
    const frame = requestAnimationFrame(() => setSaid(isToldByFocus() ? "" : title));
    return () => cancelAnimationFrame(frame);
  }, [title]);
  return (
    <p role="status" className="visually-hidden">
      {said}
    </p>
  );
}

function isToldByFocus(): boolean {
  return document.activeElement?.matches("[data-view],[data-view] [role=tab],nav [role=radio]") ?? false;
}

const SECTIONS = {
  explore: { Section: Explore, title: null },
  schedules: { Section: Schedules, title: "Schedules" },
  storage: { Section: Storage, title: "Storage" },
  settings: { Section: Settings, title: "Settings" },
} as const;

/** The window of an open connection: title bar, navigation rail, section and status bar. */
export function Desk() {
  const room = useWorkspace((s) => s.room);
  const { Section, title } = SECTIONS[room];
  const view = useShownView();
  const name = useConnection((s) => (s.current ? connectionName(s.current.info) : ""));
  useRoomCommands();
  useEffect(followUndo, []);
  useEffect(followSchedules, []);
  useReleaseWatch();
  // Distinguishes several windows in the system's list of windows.
  useEffect(() => {
    document.title = `${name} · Zenith Desk`;
    return () => void (document.title = "Zenith Desk");
  }, [name]);
  return (
    <div className={classes["desk"]}>
      <TitleBar />
      <Notices />
      <Rail />
      <main data-view={room} className={classes["main"]}>
        <Section />
        <ViewStatus title={title ?? view.title} />
      </main>
      <JobsDrawer />
      <ExportDialog />
      <ScheduleDialog />
      <StatusBar />
      <ViewCommands />
      <GroupsDialogs />
    </div>
  );
}
