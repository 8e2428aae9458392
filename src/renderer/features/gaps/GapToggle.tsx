import { ListTree } from "lucide-react";
import { useCommand } from "../../stores/commands.ts";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import { Hint, Toggle, withShortcut } from "../../ui/Button.tsx";

const OPEN = "gaps.open";

/** Returns whether the list of gaps is open; saved with the workspace. */
export function useGapsOpen(): [boolean, (isOpen: boolean) => void] {
  return usePane(OPEN, (kept) => kept === true);
}

export function closeGaps(): void {
  const { panes } = useWorkspace.getState();
  if (panes[OPEN] === true) useWorkspace.setState({ panes: { ...panes, [OPEN]: false } });
}

export const GAPS_BUTTON_ID = "gaps-button";

/** Opens and closes the list of gaps. */
export function GapToggle() {
  const [isOpen, setOpen] = useGapsOpen();
  useCommand("gaps", () => setOpen(!isOpen));
  return (
    <Hint text={withShortcut("Gaps and their causes", "gaps")}>
      <Toggle id={GAPS_BUTTON_ID} isSelected={isOpen} onChange={setOpen}>
        <ListTree aria-hidden />
        Gaps
      </Toggle>
    </Hint>
  );
}
