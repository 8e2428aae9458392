import { useEffect } from "react";
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
import classes from "./shell.module.css";
import { StatusBar } from "./StatusBar.tsx";
import { TitleBar } from "./TitleBar.tsx";
import { useRoomCommands } from "./useWindowCommands.ts";
import { ViewCommands } from "./Views.tsx";

const SECTIONS = { explore: Explore, schedules: Schedules, storage: Storage, settings: Settings } as const;

/** The window of an open connection: title bar, navigation rail, section and status bar. */
export function Desk() {
  const Section = SECTIONS[useWorkspace((s) => s.room)];
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
      <main className={classes["main"]}>
        <Section />
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
