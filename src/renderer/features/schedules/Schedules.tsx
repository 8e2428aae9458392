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

/** The schedules of the open connection, with the next and the last run of each. */
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
        <p className={classes["note"]}>These data are from a file. There is no service to download from.</p>
      </Page>
    );
  if (all !== null && own.length === 0)
    return (
      <Page title="Schedules">
        <EmptyState icon={<CalendarClock aria-hidden />} title="No schedules" actions={button}>
          {hasStations
            ? "A schedule downloads the selected stations regularly, for example yesterday’s data every morning, and writes files afterwards."
            : "Select stations first. A schedule downloads them regularly and writes files afterwards."}
        </EmptyState>
      </Page>
    );
  return (
    <Page title="Schedules">
      <div className={classes["head"]}>
        <p className={classes["note"]}>
          Schedules run while a window is open.{" "}
          <GuideLink page="schedules" anchor="without-a-window">
            Run them without a window
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
