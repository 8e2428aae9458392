import type { JobSpec } from "#shared/job/job.ts";
import { useIsOffline } from "../../stores/connection.ts";
import { Button } from "../../ui/Button.tsx";
import { startFetch } from "./startFetch.ts";
import { useCost } from "./useEstimate.ts";
import { fetchWords } from "./labels.ts";

interface FetchButtonProps {
  readonly connectionId: string;
  readonly spec: JobSpec;
  /** Shown before the button where there is room for it. */
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
    <>
      {/* A label that does not fit wraps into a second line, which is cut off. */}
      <span className="flex flex-1 flex-wrap justify-end w-0 h-[1lh] overflow-hidden text-faint before:h-[1lh] before:content-['']">
        <span className="whitespace-nowrap">{label}</span>
      </span>
      {button}
    </>
  );
}
