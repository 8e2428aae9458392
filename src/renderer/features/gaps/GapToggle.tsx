import { ListTree } from "lucide-react";
import { useCommand } from "../../stores/commands.ts";
import { Toggle } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import { withShortcut } from "../../ui/withShortcut.ts";
import { useGapsOpen } from "./useGapsOpen.ts";

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
