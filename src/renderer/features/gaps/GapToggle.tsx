import { ListTree } from "lucide-react";
import { z } from "zod";
import { useCommand } from "../../stores/commands.ts";
import { Hint, Toggle, withShortcut } from "../../ui/Button.tsx";
import { pane, usePane } from "../../stores/pane.ts";

export const GAPS_OPEN = pane("gaps.open", z.boolean().catch(false));

export const GAPS_BUTTON_ID = "gaps-button";

/** Opens and closes the list of gaps. */
export function GapToggle() {
  const [isOpen, setOpen] = usePane(GAPS_OPEN);
  useCommand("gaps", () => setOpen(!isOpen));
  return (
    <Hint text={withShortcut("Gaps and their causes", "gaps")}>
      <Toggle id={GAPS_BUTTON_ID} value={isOpen} onChange={setOpen}>
        <ListTree aria-hidden />
        Gaps
      </Toggle>
    </Hint>
  );
}
