import { z } from "zod";
import { CalendarClock, LineChart, Settings as SettingsIcon, Sunrise } from "lucide-react";
import { ToggleButton, ToggleButtonGroup } from "react-aria-components";
import { Suspense, useEffect } from "react";
import { Group, type LayoutChangedMeta, Panel, Separator } from "react-resizable-panels";
import { openDialog } from "../../stores/dialogs.ts";
import { Hint, IconButton } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { openGuide } from "../guide/open.ts";
import { connectionName, useConnection, useIsFilesAlone, useConnectionId } from "../../stores/connection.ts";
import { useReleaseWatch } from "../../stores/releases.ts";
import { followRuns } from "../../stores/schedules.ts";
import { followUndo } from "../../stores/undoWorkspace.ts";
import { useWorkspace, type Workspace } from "../../stores/workspace.ts";
import { ExportDialog } from "../export/ExportDialog.tsx";
import { GroupsDialogs } from "../groups/GroupsDialogs.tsx";
import { JobsDrawer } from "../jobs/JobsDrawer.tsx";
import { ScheduleDialog } from "../schedules/ScheduleDialog.tsx";
import { StatusBar } from "./StatusBar.tsx";
import { TitleBar } from "./TitleBar.tsx";
import { RoomCommands } from "./windowCommands.ts";
import { ViewCommands, Views } from "./Views.tsx";
import classes from "./shell.module.css";
import { opened } from "../../ui/opened.ts";
import { useMediaQuery } from "../../ui/useSize.ts";
import { Catalogue } from "../catalogue/Catalogue.tsx";
import { FilesAlone, FilesPane } from "../files/FilesPane.tsx";
import { DetailsToggle, DETAILS_OPEN, StationDetail } from "../catalogue/StationDetail.tsx";
import { pane, usePane } from "../../stores/pane.ts";

const Morning = opened(async () => (await import("../morning/Morning.tsx")).Morning);
const Schedules = opened(async () => (await import("../schedules/Schedules.tsx")).Schedules);
const Settings = opened(async () => (await import("../settings/Settings.tsx")).Settings);
const Storage = opened(async () => (await import("../storage/Storage.tsx")).Storage);

const SECTIONS = {
  morning: Morning,
  explore: Explore,
  schedules: Schedules,
  storage: Storage,
  settings: Settings,
} as const;

/** The sections with a button of their own; the others are in the menu below. */
const BUTTONS = {
  morning: { label: "Morning", Icon: Sunrise },
  explore: { label: "Explore stations and data", Icon: LineChart },
  schedules: { label: "Schedules", Icon: CalendarClock },
} as const;

/** The window of an open connection: title bar, navigation rail, section and status bar. No section outlives its connection. */
export function Desk() {
  const section = useWorkspace((s) => s.section);
  const Section = SECTIONS[section];
  const connectionId = useConnectionId();
  const name = useConnection((s) => (s.current ? connectionName(s.current.info) : ""));
  useEffect(followUndo, []);
  useEffect(followRuns, []);
  useReleaseWatch();
  // Distinguishes several windows in the system's list of windows.
  useEffect(() => {
    document.title = `${name} · Zenith Desk`;
    return () => void (document.title = "Zenith Desk");
  }, [name]);
  return (
    <div className={classes["desk"]}>
      {/* Before the sections, which take some of its commands. */}
      <RoomCommands />
      <TitleBar />
      <Rail />
      <main data-view={section} data-region={section === "explore" ? undefined : ""} className={classes["main"]}>
        <Suspense>
          <Section key={connectionId} />
        </Suspense>
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

function showSection(section: Workspace["section"]): () => void {
  return () => useWorkspace.setState({ section });
}

/** The navigation between the sections of the window, with the seldom used ones and help in a menu. */
function Rail() {
  const section = useWorkspace((s) => s.section);
  return (
    <nav aria-label="Sections" data-region className={classes["rail"]}>
      <ToggleButtonGroup
        aria-label="Sections"
        className="stack gap-1"
        orientation="vertical"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[section]}
        onSelectionChange={([key]) => {
          if (key !== undefined) useWorkspace.setState({ section: key as Workspace["section"] });
        }}
      >
        {Object.entries(BUTTONS).map(([id, { label, Icon }]) => (
          <Hint key={id} text={label}>
            <ToggleButton id={id} aria-label={label} className={classes["section"]}>
              <Icon aria-hidden />
            </ToggleButton>
          </Hint>
        ))}
      </ToggleButtonGroup>
      <span className="flex-1" />
      <MenuButton
        label="Settings and help"
        button={<IconButton label="Settings and help" icon={SettingsIcon} />}
        entries={[
          { id: "storage", label: "Storage", onAction: showSection("storage") },
          { id: "settings", label: "Settings", onAction: showSection("settings") },
          null,
          { id: "guide", label: "Guide", detail: "F1", onAction: () => openGuide() },
          {
            id: "shortcuts",
            label: "Keyboard shortcuts",
            detail: "?",
            onAction: () => openDialog({ kind: "shortcuts" }),
          },
          { id: "about", label: "About Zenith Desk", onAction: () => openDialog({ kind: "about" }) },
        ]}
      />
    </nav>
  );
}

/** Narrower windows, such as those with very large text, have no room for two columns. */
const NARROW = "(width < 700px)";

const layout = z.record(z.string(), z.number()).nullable().catch(null);
type Layout = NonNullable<z.output<typeof layout>>;
const COLUMNS = pane("explore.columns", layout);
const STACKED = pane("explore.stacked", layout);
const ROWS = pane("explore.rows", layout);

/** Keeps only the layouts that the user chooses: a small window enforces layouts that do not suit larger windows. */
function ofUser(keep: (layout: Layout) => void) {
  return (layout: Layout, { isUserInteraction, requestedLayout }: LayoutChangedMeta<Layout>): void => {
    if (isUserInteraction) keep(requestedLayout ?? layout);
  };
}

const SCROLLED_OUTSIDE = { overflow: "visible" } as const;

/** Stations, or the files that are open without a service, on the left; views of the selection on the right. */
function Explore() {
  const isNarrow = useMediaQuery(NARROW);
  const [columns, setColumns] = usePane(isNarrow ? STACKED : COLUMNS);
  const isFilesAlone = useIsFilesAlone();
  return (
    <Group
      // The library reads a layout only at first.
      key={String(isNarrow)}
      orientation={isNarrow ? "vertical" : "horizontal"}
      className={classes["explore"]}
      // All of it scrolls then, and the tabs stay in sight.
      {...(isNarrow ? { style: SCROLLED_OUTSIDE } : {})}
      {...(columns ? { defaultLayout: columns } : {})}
      onLayoutChanged={ofUser(setColumns)}
    >
      <Panel id="stations" defaultSize={isNarrow ? 260 : "26%"} minSize={isNarrow ? 160 : 276} maxSize="60%">
        {isFilesAlone ? <FilesAlone /> : <Stations />}
      </Panel>
      <Separator
        aria-label={isNarrow ? "Height of the stations" : "Width of the stations"}
        className={`${classes["handle"]} ${isNarrow ? classes["row"] : ""}`}
      />
      <Panel id="views" minSize={396} {...(isNarrow ? { style: SCROLLED_OUTSIDE } : {})}>
        <section aria-label="Views" className={`${classes["views"]} pane min-w-0`}>
          <Views />
        </section>
      </Panel>
    </Group>
  );
}

/** The list of stations, with the details of one station below, if they are open. */
function Stations() {
  const [rows, setRows] = usePane(ROWS);
  const [isOpen] = usePane(DETAILS_OPEN);
  return (
    <div className="pane min-w-0">
      <Group orientation="vertical" {...(rows ? { defaultLayout: rows } : {})} onLayoutChanged={ofUser(setRows)}>
        <Panel id="list" minSize={160}>
          <div className="pane min-w-0">
            <section aria-label="Stations" data-region className="stack flex-1 min-h-0">
              <Catalogue />
            </section>
            <FilesPane />
          </div>
        </Panel>
        {isOpen ? (
          <>
            <Separator aria-label="Height of the list" className={`${classes["handle"]} ${classes["row"]}`} />
            <Panel id="detail" defaultSize={250} minSize={40}>
              <section aria-label="Station" data-region className="pane min-w-0">
                <StationDetail />
              </section>
            </Panel>
          </>
        ) : null}
      </Group>
      <DetailsToggle />
    </div>
  );
}
