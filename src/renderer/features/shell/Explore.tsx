import { Group, Panel, Separator } from "react-resizable-panels";
import { useIsFilesAlone } from "../../stores/connection.ts";
import { usePane } from "../../stores/workspace.ts";
import { useMediaQuery } from "../../ui/useSize.ts";
import { Catalogue } from "../catalogue/Catalogue.tsx";
import { FilesAlone, FilesPane } from "../files/FilesPane.tsx";
import { StationDetail } from "../catalogue/StationDetail.tsx";
import classes from "./shell.module.css";
import { Views } from "./Views.tsx";

/** Narrower windows, such as those with very large text, have no room for two columns. */
const NARROW = "(width < 700px)";

type Layout = Readonly<Record<string, number>>;

function readLayout(kept: unknown): Layout | null {
  const isLayout =
    typeof kept === "object" && kept !== null && Object.values(kept).every((size) => typeof size === "number");
  return isLayout ? (kept as Layout) : null;
}

/** Stations, or the files that are open without a service, on the left; views of the selection on the right. */
export function Explore() {
  const isNarrow = useMediaQuery(NARROW);
  const [layout, setLayout] = usePane(isNarrow ? "explore.stacked" : "explore.columns", readLayout);
  const isFilesAlone = useIsFilesAlone();
  return (
    <Group
      // The library reads a layout only at first.
      key={String(isNarrow)}
      orientation={isNarrow ? "vertical" : "horizontal"}
      className={classes["explore"]}
      {...(layout ? { defaultLayout: layout } : {})}
      onLayoutChanged={setLayout}
    >
      <Panel id="stations" defaultSize={isNarrow ? 260 : "26%"} minSize={isNarrow ? 160 : 255} maxSize="60%">
        {isFilesAlone ? <FilesAlone /> : <Stations />}
      </Panel>
      <Separator
        aria-label={isNarrow ? "Height of the stations" : "Width of the stations"}
        className={`${classes["handle"]} ${isNarrow ? classes["row"] : ""}`}
      />
      <Panel id="views" minSize={396}>
        <section aria-label="Views" className={classes["pane"]}>
          <Views />
        </section>
      </Panel>
    </Group>
  );
}

/** The list of stations, with the details of one station below. */
function Stations() {
  const [rows, setRows] = usePane("explore.rows", readLayout);
  return (
    <Group orientation="vertical" {...(rows ? { defaultLayout: rows } : {})} onLayoutChanged={setRows}>
      <Panel id="list" minSize={160}>
        <div className={classes["pane"]}>
          <section aria-label="Stations" className={classes["stations"]}>
            <Catalogue />
          </section>
          <FilesPane />
        </div>
      </Panel>
      <Separator aria-label="Height of the list" className={`${classes["handle"]} ${classes["row"]}`} />
      <Panel id="detail" defaultSize={250} minSize={40}>
        <section aria-label="Station" className={classes["pane"]}>
          <StationDetail />
        </section>
      </Panel>
    </Group>
  );
}
