import { type ReactNode, Suspense, useContext } from "react";
import { Tab, TabList, TabListStateContext, TabPanel, Tabs } from "react-aria-components";
import type { CommandId } from "#shared/commands.ts";
import { useCommand } from "../../stores/commands.ts";
import { useIsFilesAlone } from "../../stores/connection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { opened } from "../../ui/opened.ts";
import { enterView } from "../../ui/regions.ts";
import { ExportButton } from "../export/ExportDialog.tsx";
import { SelectionBar } from "../fetch/SelectionBar.tsx";
import { GapPane } from "../gaps/GapPane.tsx";
import { GapToggle } from "../gaps/GapToggle.tsx";
import { BESIDE } from "../series/beside.ts";
import { ARRANGEMENT } from "../series/query.ts";
import { SeriesView } from "../series/SeriesView.tsx";
import classes from "./shell.module.css";

const MapView = opened(async () => (await import("../map/MapView.tsx")).MapView);
const SatellitesView = opened(async () => (await import("../satellites/SatellitesView.tsx")).SatellitesView);
const AvailabilityView = opened(async () => (await import("../availability/AvailabilityView.tsx")).AvailabilityView);
const CompareView = opened(async () => (await import("../compare/CompareView.tsx")).CompareView);
const TableView = opened(async () => (await import("../table/TableView.tsx")).TableView);

/** The views of the selection, in the order of their keys. */
const VIEWS = [
  { id: "series", title: "Series", command: "view.series", View: SeriesView },
  { id: "map", title: "Map", command: "view.map", View: MapView },
  { id: "satellites", title: "Satellites", command: "view.satellites", View: SatellitesView },
  { id: "availability", title: "Availability", command: "view.availability", View: AvailabilityView },
  { id: "compare", title: "Compare", command: "view.compare", View: CompareView },
  { id: "table", title: "Table", command: "view.table", View: TableView },
] as const;

function ignore(): void {}

/** The other views need stations of a catalogue, which files do not have. */
const VIEWS_OF_FILES = VIEWS.filter(({ id }) => id === "series" || id === "compare" || id === "table");

function useViewsOfWindow(): readonly (typeof VIEWS)[number][] {
  return useIsFilesAlone() ? VIEWS_OF_FILES : VIEWS;
}

/** The view of the window: the chosen one, unless the window has only files, which lack some views. */
function useShownView(): (typeof VIEWS)[number] {
  const kept = useWorkspace((s) => s.view);
  return useViewsOfWindow().find(({ id }) => id === kept) ?? VIEWS[0];
}

/** The tabs of views with the bar of the selection. */
export function Views() {
  const isFilesAlone = useIsFilesAlone();
  const shown = useViewsOfWindow();
  const { id: view, View } = useShownView();
  return (
    <Tabs className="pane" selectedKey={view} onSelectionChange={(key) => useWorkspace.setState({ view: String(key) })}>
      <div className={classes["tabs"]}>
        <TabList aria-label="Views" className="flex mr-auto min-w-0 relative overflow-x-auto overflow-y-hidden gap-1">
          {shown.map(({ id, title }) => (
            <Tab key={id} id={id} className={classes["tab"]}>
              {title}
            </Tab>
          ))}
        </TabList>
        {isFilesAlone ? null : BUTTONS}
      </div>
      {isFilesAlone ? null : BAR}
      <TabPanel
        key={view}
        id={view}
        data-view={view}
        data-region
        className="flex-1 relative min-h-0"
        // Without a fixed tabindex, React Aria makes the panel focusable only until it has content.
        render={(props) => <div {...props} tabIndex={props.tabIndex ?? -1} />}
      >
        <Suspense>
          <View />
        </Suspense>
      </TabPanel>
      {isFilesAlone ? null : GAPS}
    </Tabs>
  );
}

/**
 * React Aria renders the children of `Tabs` a second time, hidden and without tab state, to collect the tabs. This
 * component skips that copy; other content would be drawn, and would query the core, twice.
 */
function OutsideCollection({ children }: { readonly children: ReactNode }) {
  return useContext(TabListStateContext) === null ? null : children;
}

// The same elements for every view, which therefore does not render them.
const BUTTONS = (
  <OutsideCollection>
    <span className="flex-1" />
    <GapToggle />
    <ExportButton />
  </OutsideCollection>
);
const BAR = (
  <OutsideCollection>
    <SelectionBar />
  </OutsideCollection>
);
const GAPS = (
  <OutsideCollection>
    <GapPane />
  </OutsideCollection>
);

function showInSeries(choose: () => void): void {
  choose();
  useWorkspace.setState({ section: "explore", view: "series" });
}

const FIGURE_REASON =
  "Figures are saved in Series, Map, Availability and Compare, and beside each figure of Satellites.";
const ANIMATION_REASON = "Animations are saved in Map, and beside the sky plot of Satellites.";

/** The commands that show views, or say in which view they work; in every section. */
export function ViewCommands() {
  useCommand("figure", ignore, FIGURE_REASON);
  useCommand("animation", ignore, ANIMATION_REASON);
  useCommand("copy", ignore, "Rows are copied in Table, once it has some.");
  useCommand("hovmoller", () => showInSeries(() => ARRANGEMENT.set("hovmoller")));
  useCommand("beside", () => showInSeries(() => BESIDE.set("year")));
  return useViewsOfWindow().map(({ id, command }) => <ViewCommand key={id} id={id} command={command} />);
}

function ViewCommand({ id, command }: { readonly id: string; readonly command: CommandId }) {
  useCommand(command, () => {
    useWorkspace.setState({ section: "explore", view: id });
    enterView(id);
  });
  return null;
}
