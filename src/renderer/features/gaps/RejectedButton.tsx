import { Layers } from "lucide-react";
import { useMemo } from "react";
import { useConnection } from "../../stores/connection.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { useCost } from "../fetch/useEstimate.ts";
import classes from "./gaps.module.css";
import { type GapPlace, rejectedFetch, MAX_GAPS, rejectedWords, tooManyWords } from "./rejected.ts";
import { startFetch } from "../fetch/startFetch.ts";

interface RejectedButtonProps {
  readonly connectionId: string;
  /** Gaps for which it is unknown whether anything was sent. */
  readonly gaps: readonly GapPlace[];
  /** Label of the button, before the cost. */
  readonly title?: string;
  /** Called when the download has started. */
  readonly onStart?: () => void;
}

/** Fetches the raw rows of gaps as one download, with the cost on the button; absent if there is nothing to fetch. */
export function RejectedButton(props: RejectedButtonProps) {
  const { connectionId, gaps, title = "Show rejected data", onStart } = props;
  const selection = useSelection();
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const found = useMemo(() => rejectedFetch(jobSpecOf(selection), gaps), [selection, gaps]);
  const isTooMany = found.gaps > MAX_GAPS;
  const cost = useCost(connectionId, isTooMany ? { ...found.spec, stationIds: [], only: [] } : found.spec);
  if (isTooMany) return <p className={classes["quiet"]}>{tooManyWords(found.gaps)}</p>;
  if (cost === null) return null;
  const start = async (): Promise<void> => {
    if (await startFetch(connectionId, found.spec)) onStart?.();
  };
  return (
    <Button onPress={() => void start()}>
      <Layers aria-hidden />
      {rejectedWords(title, found.gaps, cost, isOffline)}
    </Button>
  );
}
