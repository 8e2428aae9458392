import type { Estimate } from "#shared/job/job.ts";
import { bridge } from "../../bridge/index.ts";
import { useConnection } from "../../stores/connection.ts";
import { canAverage, jobSpecOf } from "../../stores/selection.ts";
import { showToast } from "../../stores/toasts.ts";
import { useWorkspace } from "../../stores/workspace.ts";

type Cached = Pick<Estimate, "pointsCached">;

/** Who has to average so that something is shown, where only one of both has anything cached; null where either will do. */
export function averagesThere(service: Cached, here: Cached): "service" | "here" | null {
  if (service.pointsCached > 0 === here.pointsCached > 0) return null;
  return here.pointsCached > 0 ? "here" : "service";
}

const SAID = {
  here: "Averaged here, from the cached observations: none of these means of the service is cached.",
  service: "Averaged by the service: the observations to average here are not cached.",
} as const;

/** Shows means of another interval: those that are there, where only those of the service or only those made here are. */
export async function showInterval(intervalSeconds: number | null): Promise<void> {
  useWorkspace.setState({ intervalSeconds });
  const chosen = useWorkspace.getState();
  const connectionId = useConnection.getState().current?.info.id;
  if (intervalSeconds === null || connectionId === undefined || chosen.stationIds.length === 0) return;
  if (!canAverage(chosen.variables)) return;
  const costOf = (resampled: boolean) =>
    bridge.jobs.estimate({ connectionId, spec: jobSpecOf({ ...chosen, resampled }) });
  const [service, here] = await Promise.all([costOf(false), costOf(true)]);
  // Someone who was quicker keeps what they chose.
  if (!service.ok || !here.ok || useWorkspace.getState().intervalSeconds !== intervalSeconds) return;
  const by = averagesThere(service.value, here.value);
  if (by === null || chosen.resampled === (by === "here")) return;
  useWorkspace.setState({ resampled: by === "here" });
  showToast(SAID[by], { label: "Undo", run: () => useWorkspace.setState({ resampled: by !== "here" }) });
}
