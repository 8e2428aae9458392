import { runCommand } from "../../stores/commands.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { useSomeJob } from "../../stores/work.ts";
import { Button } from "../../ui/Button.tsx";
import { useCost } from "./useEstimate.ts";

/** Where nothing is cached: a button that fetches the selection, or what its download waits for; nothing if no data can come. */
export function OfferFetch() {
  const spec = jobSpecOf(useSelection());
  const cost = useCost(spec);
  const isOffline = useIsOffline();
  const isWaiting = useSomeJob(
    (job) => job.state === "waitingForNetwork" && job.spec.stationIds.some((id) => spec.stationIds.includes(id)),
  );
  if (isWaiting) return <span>The download continues when the service responds again.</span>;
  if (cost === null) return null;
  return <Button onPress={() => void runCommand("fetch")}>{isOffline ? "Fetch when online" : "Fetch"}</Button>;
}
