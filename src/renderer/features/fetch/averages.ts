import type { Estimate } from "#shared/job/job.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { canAverage, jobSpecOf } from "../../stores/selection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

type Cached = Pick<Estimate, "pointsCached">;

/** Returns where averages are available if only one source has cached data; null if both or none have. */
export function availableAverages(service: Cached, here: Cached): "service" | "here" | null {
  if (service.pointsCached > 0 === here.pointsCached > 0) return null;
  return here.pointsCached > 0 ? "here" : "service";
}

const MESSAGES = {
  here: "Averaged here, from the cached observations: none of these means of the service is cached.",
  service: "Averaged by the service: the observations to average here are not cached.",
} as const;

/** Shows averages of another interval, and switches between the service's and local averages if only the others are available. */
export async function showInterval(intervalSeconds: number | null): Promise<void> {
  useWorkspace.setState({ intervalSeconds });
  const selection = useWorkspace.getState();
  const connectionId = useConnection.getState().current?.info.id;
  if (intervalSeconds === null || connectionId === undefined || selection.stationIds.length === 0) return;
  if (!canAverage(selection.variables)) return;
  const costOf = (resampled: boolean) =>
    bridge.jobs.estimate({ connectionId, spec: jobSpecOf({ ...selection, resampled }) });
  const [service, here] = await Promise.all([costOf(false), costOf(true)]);
  // The user may have selected another interval meanwhile.
  if (!service.ok || !here.ok || useWorkspace.getState().intervalSeconds !== intervalSeconds) return;
  const by = availableAverages(service.value, here.value);
  if (by === null || selection.resampled === (by === "here")) return;
  useWorkspace.setState({ resampled: by === "here" });
  showToast(MESSAGES[by], { label: "Undo", run: () => useWorkspace.setState({ resampled: by !== "here" }) });
}
