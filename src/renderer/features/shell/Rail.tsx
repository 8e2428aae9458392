import { BookOpen, CalendarClock, CircleHelp, Database, Info, LineChart, Settings } from "lucide-react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { openDialog } from "../../stores/dialogs.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import { Hint, IconButton } from "../../ui/Button.tsx";
import { useFocusOnSelected } from "../../ui/viewFocus.ts";
import { openGuide } from "../guide/open.ts";
import classes from "./shell.module.css";

const SECTIONS = [
  { id: "explore", label: "Explore stations and data", Icon: LineChart },
  { id: "schedules", label: "Schedules", Icon: CalendarClock },
  { id: "storage", label: "Storage", Icon: Database },
  { id: "settings", label: "Settings", Icon: Settings },
] as const;

/** The navigation between the sections of the window, with help below. */
export function Rail() {
  const room = useWorkspace((s) => s.room);
  const sections = useFocusOnSelected<HTMLDivElement>(room);
  return (
    <nav aria-label="Sections" className={classes["rail"]}>
      <ToggleButtonGroup
        ref={sections}
        aria-label="Sections"
        className={classes["rooms"]}
        orientation="vertical"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[room]}
        onSelectionChange={([key]) => {
          if (key !== undefined) useWorkspace.setState({ room: key as Workspace["room"] });
        }}
      >
        {SECTIONS.map(({ id, label, Icon }) => (
          <Hint key={id} text={label}>
            <ToggleButton id={id} aria-label={label} className={classes["room"]}>
              <Icon aria-hidden />
            </ToggleButton>
          </Hint>
        ))}
      </ToggleButtonGroup>
      <span className="spring" />
      <IconButton label="Guide" command="guide" onPress={() => openGuide()}>
        <BookOpen aria-hidden />
      </IconButton>
      <IconButton label="Keyboard shortcuts" command="shortcuts" onPress={() => openDialog({ kind: "shortcuts" })}>
        <CircleHelp aria-hidden />
      </IconButton>
      <IconButton label="About Zenith Desk" onPress={() => openDialog({ kind: "about" })}>
        <Info aria-hidden />
      </IconButton>
    </nav>
  );
}
