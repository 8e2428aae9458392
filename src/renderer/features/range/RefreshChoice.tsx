import type { MovingRange } from "#shared/time/typed.ts";
import { REFRESH_MINUTES, REFRESH_PANE, readRefresh } from "../../stores/autoRefresh.ts";
import { useConnection, useConnectionId } from "../../stores/connection.ts";
import { jobSpecOf, useChosen } from "../../stores/selection.ts";
import { usePane } from "../../stores/workspace.ts";
import { Segments } from "../../ui/choices.tsx";
import { duration, many } from "../../ui/text.ts";
import { useCost } from "../fetch/useCost.ts";
import classes from "./range.module.css";

const CHOICES = REFRESH_MINUTES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 0 ? "Off" : `${minutes} min`,
}));

/** How often what is new is fetched, with what that costs now. */
export function RefreshChoice({ moving }: { readonly moving: MovingRange | null }) {
  const connectionId = useConnectionId();
  const [minutes, choose] = usePane(REFRESH_PANE, readRefresh);
  const cost = useCost(connectionId, jobSpecOf(useChosen()));
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const words = (): string => {
    if (!moving) return "Only a range that moves with the clock is refreshed, such as Last 7 days.";
    if (minutes !== 0 && isOffline) return "Paused: the service is unreachable.";
    if (minutes !== 0 || cost === null) return "Fetches missing data while this window is visible.";
    const time = cost.seconds === null ? "" : `, about ${duration(cost.seconds)}`;
    return `Fetches missing data: first ${many(cost.pointsToFetch, "point")} in ${many(cost.requests, "request")}${time}.`;
  };
  return (
    <div className={classes["refresh"]}>
      <span aria-hidden>Refresh</span>
      <Segments
        label="Refresh"
        choices={CHOICES}
        value={String(minutes)}
        onChange={(value) => choose(readRefresh(Number(value)))}
        isDisabled={!moving}
      />
      <span className={classes["said"]}>{words()}</span>
    </div>
  );
}
