import { useState } from "react";
import { canAverage, useConditions } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Segments, Select } from "../../ui/choices.tsx";
import { showInterval } from "./averages.ts";
import { intervalChoices, intervalKey, intervalOf, OTHER_INTERVAL } from "./intervals.ts";
import { OtherInterval } from "./OtherInterval.tsx";

const QUALITY = [
  { value: "filtered", label: "Filtered" },
  { value: "raw", label: "Raw" },
] as const;
const AVERAGED = [
  { value: "service", label: "Averaged by the service" },
  { value: "here", label: "Averaged here", detail: "from cached observations" },
] as const;

/** How dense, how filtered, and by whom averaged. */
export function ModeControls() {
  const { intervalSeconds, raw, resampled, variables } = useConditions();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <OtherInterval isOpen={isAsking} onClose={() => setAsking(false)} />
      <Select
        label="Interval"
        choices={intervalChoices(intervalSeconds)}
        value={intervalKey(intervalSeconds)}
        onChange={(key) => {
          if (key === OTHER_INTERVAL) setAsking(true);
          else void showInterval(intervalOf(key));
        }}
      />
      {intervalSeconds !== null && canAverage(variables) ? (
        <Select
          label="Averaged"
          choices={AVERAGED}
          value={resampled ? "here" : "service"}
          onChange={(by) => useWorkspace.setState({ resampled: by === "here" })}
        />
      ) : null}
      <Segments
        label="Quality filter of the service"
        choices={QUALITY}
        value={raw ? "raw" : "filtered"}
        onChange={(quality) => useWorkspace.setState({ raw: quality === "raw" })}
      />
    </>
  );
}
