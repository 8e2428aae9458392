import { useEffect, useState } from "react";
import { bridge } from "../bridge/index.ts";

/** Returns the progress, 0 to 1, of work that was started with an id of ours; null until it is reported. */
export function useWorkProgress(workId: string | null): number | null {
  const [progress, setProgress] = useState<{ readonly workId: string; readonly share: number } | null>(null);
  useEffect(
    () =>
      workId === null
        ? undefined
        : bridge.on("workProgress", (reported) => {
            if (reported.workId === workId) setProgress(reported);
          }),
    [workId],
  );
  return progress?.workId === workId ? progress.share : null;
}
