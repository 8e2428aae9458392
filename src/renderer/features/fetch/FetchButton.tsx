import type { LucideIcon } from "lucide-react";
import type { Estimate, JobSpec } from "#shared/job/job.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { startFetch, useCost, useFetching } from "./useEstimate.ts";
import { fetchWords } from "./labels.ts";

interface FetchButtonProps {
  readonly spec: JobSpec;
  readonly words?: (cost: Estimate, isOffline: boolean) => string;
  readonly look?: "primary" | "plain";
  readonly icon?: LucideIcon;
}

/**
 * A button that downloads missing data, with the cost of the download; nothing if none is missing, and the state of the
 * download once there is one.
 */
export function FetchButton({ spec, words = fetchWords, ...look }: FetchButtonProps) {
  const cost = useCost(spec);
  const isOffline = useIsOffline();
  const fetching = useFetching(spec, cost);
  if (cost === null) return null;
  if (fetching !== null) return <span className="text-quiet">{fetching}</span>;
  return (
    <Button {...look} onPress={() => void startFetch(spec)}>
      {words(cost, isOffline)}
    </Button>
  );
}
