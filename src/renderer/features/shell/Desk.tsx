import { useWorkspace } from "../../stores/workspace.ts";
import { JobsDrawer } from "../jobs/JobsDrawer.tsx";
import { Palette } from "../palette/Palette.tsx";
import { Settings } from "../settings/Settings.tsx";
import { Storage } from "../storage/Storage.tsx";
import { Explore } from "./Explore.tsx";
import { Rail } from "./Rail.tsx";
import classes from "./shell.module.css";
import { StatusBar } from "./StatusBar.tsx";
import { TitleBar } from "./TitleBar.tsx";

const ROOMS = { explore: Explore, storage: Storage, settings: Settings } as const;

/** The window of an open connection: title bar, rooms at the left, status at the foot. */
export function Desk() {
  const Room = ROOMS[useWorkspace((s) => s.room)];
  return (
    <div className={classes["desk"]}>
      <TitleBar />
      <Rail />
      <main className={classes["main"]}>
        <Room />
      </main>
      <StatusBar />
      <JobsDrawer />
      <Palette />
    </div>
  );
}
