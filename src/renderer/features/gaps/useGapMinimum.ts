import { usePane } from "../../stores/workspace.ts";

/** The shortest gap that is listed, in seconds. */
export const MINIMUMS = [0, 300, 3_600, 86_400] as const;

/** How short a gap is worth a look; kept with the workspace. */
export function useGapMinimum(): [number, (seconds: number) => void] {
  return usePane<number>("gaps.minimum", (kept) => MINIMUMS.find((m) => m === kept) ?? 300);
}
