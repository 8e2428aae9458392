import type { JobSpec } from "#shared/job/job.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { startFetch } from "./startFetch.ts";
import { useCost } from "./useEstimate.ts";
import { fetchWords } from "./words.ts";

interface FetchButtonProps {
  readonly connectionId: string;
  readonly spec: JobSpec;
  /** Shown before the button. */
  readonly label?: string;
}

/** A button that downloads missing data, with the cost of the download; nothing if none is missing. */
export function FetchButton({ connectionId, spec, label }: FetchButtonProps) {
  const cost = useCost(connectionId, spec);
  const isOffline = useIsOffline();
  if (cost === null) return null;
  const button = <Button onPress={() => void startFetch(connectionId, spec)}>{fetchWords(cost, isOffline)}</Button>;
  if (label === undefined) return button;
  return (
    <span className="inline-row gap-2">
      <span className="text-faint">{label}</span>
      {button}
    </span>
  );
}
