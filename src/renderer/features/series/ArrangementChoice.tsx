import { memo } from "react";
import { type Arrangement, readArrangement } from "../../plot/arrange.ts";
import { ARRANGEMENT } from "./query.ts";
import { usePane } from "../../stores/workspace.ts";
import { Select } from "../../ui/choices.tsx";

const CHOICES = [
  { value: "lines", label: "Lines" },
  { value: "offsets", label: "Offset lines" },
  { value: "anomalies", label: "Anomalies" },
  { value: "multiples", label: "Small multiples" },
  { value: "hovmoller", label: "Hovmöller diagram" },
] as const;

/** Returns how the lines of several stations are arranged; saved with the workspace and with views. */
export function useArrangement(): [Arrangement, (arrangement: Arrangement) => void] {
  return usePane(ARRANGEMENT, readArrangement);
}

export const ArrangementChoice = memo(function ArrangementChoice() {
  const [arrangement, choose] = useArrangement();
  return <Select label="Arrangement of the lines" choices={CHOICES} value={arrangement} onChange={choose} />;
});
