import { usePane, useWorkspace } from "../../stores/workspace.ts";

const OPEN = "gaps.open";

/** Returns whether the list of gaps is open; saved with the workspace. */
export function useGapsOpen(): [boolean, (isOpen: boolean) => void] {
  return usePane(OPEN, (kept) => kept === true);
}

export function closeGaps(): void {
  const { panes } = useWorkspace.getState();
  if (panes[OPEN] === true) useWorkspace.setState({ panes: { ...panes, [OPEN]: false } });
}
