import { usePane, useWorkspace } from "../../stores/workspace.ts";

const OPEN = "gaps.open";

/** Whether the list of gaps is open under the views; kept with the workspace. */
export function useGapsOpen(): [boolean, (isOpen: boolean) => void] {
  return usePane(OPEN, (kept) => kept === true);
}

export function closeGaps(): void {
  const { panes } = useWorkspace.getState();
  if (panes[OPEN] === true) useWorkspace.setState({ panes: { ...panes, [OPEN]: false } });
}
