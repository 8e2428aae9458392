import { CalendarClock } from "lucide-react";
import { useConnection } from "../../stores/connection.ts";
import { useSchedules } from "../../stores/schedules.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { Page } from "../../ui/Page.tsx";
import { GuideLink } from "../guide/GuideLink.tsx";
import { newSchedule } from "./draft.ts";
import { ScheduleItem } from "./ScheduleItem.tsx";
import classes from "./schedules.module.css";

/** Downloads that repeat, of the open connection: when they run next, and what became of the last run. */
export function Schedules() {
  const connectionId = useConnection((s) => s.current?.info.id ?? "");
  const isFile = useConnection((s) => s.current?.info.kind === "file");
  const all = useSchedules((s) => s.all);
  const own = all?.filter(({ schedule }) => schedule.connectionId === connectionId) ?? [];
  const hasStations = useWorkspace((s) => s.stationIds.length > 0);
  const button = (
    <Button look="primary" isDisabled={!hasStations} onPress={() => newSchedule()}>
      New schedule
    </Button>
  );
  if (isFile)
    return (
      <Page title="Schedules">
        <p className={classes["note"]}>These data come from a file: nothing can be downloaded for them.</p>
      </Page>
    );
  if (all !== null && own.length === 0)
    return (
      <Page title="Schedules">
        <EmptyState icon={<CalendarClock aria-hidden />} title="No schedules" actions={button}>
          {hasStations
            ? "A schedule downloads the selected stations again and again, for example yesterday’s data every morning, and writes files afterwards."
            : "Select stations first. A schedule downloads them again and again, and writes files afterwards."}
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Schedules">
      <div className={classes["head"]}>
        <p className={classes["note"]}>
          Schedules run while a window is open.{" "}
          <GuideLink page="schedules" anchor="without-a-window">
            How the system can run them
          </GuideLink>
        </p>
        {button}
      </div>
      <ul className={classes["list"]} aria-label="Schedules">
        {own.map((kept) => (
          <ScheduleItem key={kept.id} kept={kept} />
        ))}
      </ul>
    </Page>
  );
}
