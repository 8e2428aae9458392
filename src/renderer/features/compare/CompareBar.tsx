import { shortName, SCALAR_VARIABLES } from "#shared/service/variables.ts";
import { Segments, Select, Switch } from "../../ui/choices.tsx";
import type { Choices } from "./choices.ts";
import classes from "./compare.module.css";
import { MarksFlyout } from "./MarksFlyout.tsx";
import { type ComparedStations, referenceOf } from "./useCompared.ts";

const PART_CHOICES = [
  { value: "pairs", label: "Pairs" },
  { value: "stations", label: "Stations" },
  { value: "rate", label: "PWV rate" },
  { value: "derived", label: "Derived" },
  { value: "product", label: "Product" },
] as const;
const JOINING_CHOICES = [
  { value: "nearest", label: "Nearest rows" },
  { value: "means", label: "Interval means" },
] as const;
const VARIABLE_CHOICES = SCALAR_VARIABLES.map((variable) => ({ value: variable, label: shortName(variable) }));

interface CompareBarProps {
  readonly compared: ComparedStations;
  readonly choices: Choices;
  /** Opened files without a service can only be compared as products. */
  readonly isOfFiles: boolean;
  readonly onChange: (change: Partial<Choices>) => void;
}

/** The controls above a comparison: part, variable, reference station, joining and flags. */
export function CompareBar({ compared, choices, isOfFiles, onChange }: CompareBarProps) {
  const { part, variable } = choices;
  return (
    <div className={classes["bar"]} role="group" aria-label="What is compared">
      {isOfFiles ? null : (
        <Segments label="Part" choices={PART_CHOICES} value={part} onChange={(next) => onChange({ part: next })} />
      )}
      {part === "pairs" || part === "stations" || part === "product" ? (
        <Select
          label="Variable"
          choices={VARIABLE_CHOICES}
          value={variable}
          onChange={(next) => onChange({ variable: next })}
        />
      ) : null}
      {part === "pairs" ? (
        <>
          <span className={classes["named"]}>
            Reference
            <Select
              label="Reference station"
              choices={compared.stations.map((s) => ({ value: s.id, label: s.name }))}
              value={referenceOf(compared, choices)}
              onChange={(referenceId) => onChange({ referenceId, pair: null })}
            />
          </span>
          <Select
            label="Common epochs"
            choices={JOINING_CHOICES}
            value={choices.joining}
            onChange={(joining) => onChange({ joining })}
          />
        </>
      ) : null}
      <span className={classes["spring"]} />
      {part === "product" ? null : <MarkControls choices={choices} onChange={onChange} />}
    </div>
  );
}

function MarkControls({ choices, onChange }: Pick<CompareBarProps, "choices" | "onChange">) {
  const { part, variable } = choices;
  const marked = part === "rate" ? "pwv" : part === "derived" ? "ztd" : variable;
  return (
    <>
      <Switch isSelected={choices.leavesOut} onChange={(leavesOut) => onChange({ leavesOut })}>
        Exclude flagged values
      </Switch>
      <MarksFlyout variable={marked} marks={choices.marks} onChange={(marks) => onChange({ marks })} />
    </>
  );
}
