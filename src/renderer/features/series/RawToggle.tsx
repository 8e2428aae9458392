import { Layers } from "lucide-react";
import { memo } from "react";
import { useCommand } from "../../stores/commands.ts";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import { Toggle } from "../../ui/Button.tsx";
import { Hint } from "../../ui/Hint.tsx";
import { withKey } from "../../ui/withKey.ts";
import { RAW_SHOWN, readRawShown } from "./query.ts";

/** Whether raw rows are shown behind the lines; kept with the workspace. */
export function useRawShown(): [boolean, (isShown: boolean) => void] {
  return usePane(RAW_SHOWN, readRawShown);
}

/** Shows and hides what the quality filter took away. Where the series is itself the raw one, nothing is behind it. */
export const RawToggle = memo(function RawToggle() {
  const [isShown, show] = useRawShown();
  const isRaw = useWorkspace((s) => s.raw);
  useCommand("raw-rows", () => show(!isShown), !isRaw);
  if (isRaw) return null;
  return (
    <Hint text={withKey("Data rejected by the quality filter", "raw-rows")}>
      <Toggle isSelected={isShown} onChange={show}>
        <Layers aria-hidden />
        Raw rows
      </Toggle>
    </Hint>
  );
});
