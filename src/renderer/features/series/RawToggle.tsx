import { Layers } from "lucide-react";
import { memo } from "react";
import { useCommand } from "../../stores/commands.ts";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import { Toggle } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import { withShortcut } from "../../ui/withShortcut.ts";
import { RAW_SHOWN, readRawShown } from "./query.ts";

/** Returns whether raw rows are shown behind the lines; saved with the workspace. */
export function useRawShown(): [boolean, (isShown: boolean) => void] {
  return usePane(RAW_SHOWN, readRawShown);
}

/** Shows and hides data rejected by the quality filter; absent if the series itself is raw. */
export const RawToggle = memo(function RawToggle() {
  const [isShown, show] = useRawShown();
  const isRaw = useWorkspace((s) => s.raw);
  useCommand("raw-rows", () => show(!isShown), !isRaw);
  if (isRaw) return null;
  return (
    <Hint text={withShortcut("Data rejected by the quality filter", "raw-rows")}>
      <Toggle isSelected={isShown} onChange={show}>
        <Layers aria-hidden />
        Raw rows
      </Toggle>
    </Hint>
  );
});
