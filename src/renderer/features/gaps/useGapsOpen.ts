import { usePane } from "../../stores/workspace.ts";

/** Whether the list of gaps is open under the views; kept with the workspace. */
export function useGapsOpen(): [boolean, (isOpen: boolean) => void] {
  return usePane("gaps.open", (kept) => kept === true);
}
