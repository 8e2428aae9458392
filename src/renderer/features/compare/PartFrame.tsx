import type { ReactNode } from "react";
import type { AppFault } from "#shared/fault.ts";
import { runCommand } from "../../stores/commands.ts";
import { useConnection } from "../../stores/connection.ts";
import { useWork } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { many } from "../../ui/text.ts";
import { FaultNote } from "../../ui/notes.tsx";
import type { QueryState } from "../series/useSeriesQuery.ts";
import classes from "./compare.module.css";
import type { Drawn } from "./figures/picture.ts";
import { SaveMenu } from "./SaveMenu.tsx";
import { StationLegend } from "./StationLegend.tsx";
import type { Sheet } from "./save.ts";

interface PartFrameProps {
  readonly answer: QueryState<unknown>;
  readonly otherFault?: AppFault | null;
  /** Whether the cache has nothing at all of this. */
  readonly isEmpty: boolean;
  /** Ids of stations of which it has nothing, while it has of others. */
  readonly lackingIds: readonly string[];
  readonly stations: readonly Drawn[];
  readonly sheet: Sheet;
  readonly note: string;
  readonly children: ReactNode;
}

/** What all parts have: a fault or a way to data where there is none, whose colour is whose, and what was done. */
export function PartFrame({
  answer,
  otherFault = null,
  isEmpty,
  lackingIds,
  stations,
  sheet,
  note,
  children,
}: PartFrameProps) {
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const isFetching = useWork((s) => s.jobs.some((job) => job.state === "running" || job.state === "queued"));
  const fault = answer.fault ?? otherFault;
  if (fault) {
    return (
      <div className={classes["part"]}>
        <FaultNote fault={fault} />
      </div>
    );
  }
  if (answer.value === null) return <p className={classes["note"]}>Reading the cache</p>;
  if (isEmpty) {
    return (
      <p className={classes["note"]} role="status">
        {isFetching ? "Comparisons appear here as data arrive." : "No data are cached for this range."}
        {isOffline ? " The service is unreachable. The download starts when it responds again." : ""}
        {isFetching ? null : <Button onPress={() => void runCommand("fetch")}>Fetch</Button>}
      </p>
    );
  }
  return (
    <>
      <div className={classes["note"]}>
        <StationLegend stations={stations} />
        <SaveMenu sheet={sheet} />
      </div>
      <div className={classes["part"]} data-stale={answer.isLoading || undefined}>
        {isOffline ? (
          <p className={classes["quiet"]}>The service is unreachable. Cached data remain available.</p>
        ) : null}
        {lackingIds.length > 0 ? <Lacking names={namesOf(stations, lackingIds)} /> : null}
        {note === "" ? null : <p className={classes["quiet"]}>{note}</p>}
        {children}
      </div>
    </>
  );
}

/** Names that are said one by one; of more it is only told how many. */
const MOST_NAMES = 5;

/** Whose lines are missing, and where it is told why: never asked, nothing sent, no entitlement. */
function Lacking({ names }: { readonly names: readonly string[] }) {
  const more = names.length - MOST_NAMES;
  const said =
    more > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${many(more, "more station")}` : names.join(", ");
  return (
    <p className={classes["lacking"]} role="status">
      No values here: {said}.
      <Button look="quiet" onPress={() => void runCommand("gaps")}>
        Why
      </Button>
    </p>
  );
}

function namesOf(stations: readonly Drawn[], ids: readonly string[]): string[] {
  return stations.filter((s) => ids.includes(s.id)).map((s) => s.name);
}
