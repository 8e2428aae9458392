import { useEffect, useState } from "react";
import { bridge } from "../bridge/index.ts";

/** How far a work is that was begun under a name of ours, 0 to 1; null before it is told, or where there is none. */
export function useShare(workId: string | null): number | null {
  const [told, setTold] = useState<{ readonly of: string; readonly share: number } | null>(null);
  useEffect(
    () =>
      workId === null
        ? undefined
        : bridge.on("workProgress", ({ workId: of, share }) => {
            if (of === workId) setTold({ of, share });
          }),
    [workId],
  );
  return told !== null && told.of === workId ? told.share : null;
}
