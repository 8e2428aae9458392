import { Layers } from "lucide-react";
import { useMemo } from "react";
import { useConnection } from "../../stores/connection.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { useCost } from "../fetch/useCost.ts";
import classes from "./gaps.module.css";
import { type GapPlace, rejectedFetch, rejectedWords, MOST_GAPS, tooManyWords } from "./rejected.ts";
import { startBeside } from "./startBeside.ts";

interface RejectedButtonProps {
  readonly connectionId: string;
  /** Of which it is not known whether anything was sent. */
  readonly gaps: readonly GapPlace[];
  /** What the button is called before it tells the cost. */
  readonly title?: string;
  /** Raw rows are on their way. */
  readonly onStart?: () => void;
}

/** Fetches the raw rows of gaps as one download, and says before what that costs; nothing where it would bring nothing. */
export function RejectedButton(props: RejectedButtonProps) {
  const { connectionId, gaps, title = "Show rejected data", onStart } = props;
  const chosen = useSelection();
  const isOffline = useConnection((s) => s.connectivity?.state === "offline");
  const found = useMemo(() => rejectedFetch(jobSpecOf(chosen), gaps), [chosen, gaps]);
  const isTooMuch = found.gaps > MOST_GAPS;
  const cost = useCost(connectionId, isTooMuch ? { ...found.spec, stationIds: [], only: [] } : found.spec);
  if (isTooMuch) return <p className={classes["quiet"]}>{tooManyWords(found.gaps)}</p>;
  if (cost === null) return null;
  const start = async (): Promise<void> => {
    if (await startBeside(connectionId, found.spec)) onStart?.();
  };
  return (
    <Button onPress={() => void start()}>
      <Layers aria-hidden />
      {rejectedWords(title, found.gaps, cost, isOffline)}
    </Button>
  );
}
