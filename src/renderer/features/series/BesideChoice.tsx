import { memo, useState } from "react";
import { X } from "lucide-react";
import { parseMoment } from "#shared/time/typed.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { jobSpecOf, useSelection } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Select, choicesFrom } from "../../ui/choices.tsx";
import { TextField } from "../../ui/fields.tsx";
import { FetchButton } from "../fetch/FetchButton.tsx";
import { BESIDE, besideWords, movedBy, shiftOf } from "./beside.ts";
import { usePane } from "../../stores/pane.ts";

const CHOICES = choicesFrom({
  none: "Nothing",
  day: "The day before",
  week: "The week before",
  year: "The year before",
  other: "Another range…",
});
type Choice = (typeof CHOICES)[number]["value"];

const SHIFTS = { none: null, day: DAY_MS, week: 7 * DAY_MS, year: "year" } as const;

/** Chooses an earlier time, such as the same season of last year, whose data are drawn beside the range. */
export function BesideChoice() {
  const [beside, choose] = usePane(BESIDE);
  const [isOther, setOther] = useState(false);
  const named = CHOICES.find((choice) => choice.value !== "other" && SHIFTS[choice.value] === beside);
  const value = isOther ? "other" : (named?.value ?? "other");
  const change = (next: Choice): void => {
    setOther(next === "other");
    if (next !== "other") choose(SHIFTS[next]);
  };
  return (
    <>
      <Select label="Compare with" showLabel choices={CHOICES} value={value} onChange={change} />
      {value === "other" ? <OtherStart onStart={choose} /> : null}
    </>
  );
}

function OtherStart({ onStart }: { readonly onStart: (shiftMs: number) => void }) {
  const { startMs } = useWorkspace((s) => s.range);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const apply = (): void => {
    if (text.trim() === "") return;
    const otherMs = parseMoment(text, Date.now());
    setProblem(otherMs === null || otherMs === startMs ? "Type another moment, such as 2025-11-21." : null);
    if (otherMs !== null && otherMs !== startMs) onStart(startMs - otherMs);
  };
  return (
    <TextField
      label="Start of the other range, UTC"
      value={text}
      onChange={setText}
      problem={problem}
      hint="Press Enter to draw it."
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === "Enter") apply();
      }}
    />
  );
}

/** Says what the dashed lines are, with a button that downloads what is missing of them. */
export const BesideBar = memo(function BesideBar() {
  const [beside] = usePane(BESIDE);
  return beside === null ? null : <ShownBeside />;
});

function ShownBeside() {
  const selection = useSelection();
  const { range } = selection;
  const [beside, choose] = usePane(BESIDE);
  const shiftMs = shiftOf(beside, range);
  if (shiftMs === 0 || selection.stationIds.length === 0) return null;
  const spec = jobSpecOf({ ...selection, range: movedBy(range, -shiftMs) });
  return (
    <div className="row flex-none flex-wrap gap-x-3 gap-y-1 pr-3 pb-1 pl-5">
      <span className="text-quiet">Short dashes: {besideWords(range, shiftMs)}</span>
      <FetchButton key={JSON.stringify(spec)} spec={spec} />
      <IconButton label="Hide the earlier time" onPress={() => choose(null)} icon={X} />
    </div>
  );
}
