import { Flag } from "lucide-react";
import type { ReactNode } from "react";
import { MAX_MARK_MINUTES } from "#shared/bridge/methods/compare.ts";
import type { ScalarVariable } from "#shared/service/variables.ts";
import { Button } from "../../ui/Button.tsx";
import { Checkbox, Segments, Select, Switch } from "../../ui/choices.tsx";
import { VariableToggles } from "../fetch/SelectionControls.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { CHOICES, type Choices, type ComparedStations, type MarkChoices, referenceOf } from "./useCompared.ts";
import classes from "./compare.module.css";

interface MarksFlyoutProps {
  readonly variable: ScalarVariable;
  readonly marks: MarkChoices;
  readonly onChange: (marks: MarkChoices) => void;
}

/** The rules that flag a value as doubtful. Flags are a view of the data: nothing is deleted. */
function MarksFlyout({ variable, marks, onChange }: MarksFlyoutProps) {
  const set = (change: Partial<MarkChoices>): void => onChange({ ...marks, ...change });
  const bounds = marks.ranges[variable];
  const setBounds = (change: Partial<typeof bounds>): void =>
    set({ ranges: { ...marks.ranges, [variable]: { ...bounds, ...change } } });
  return (
    <Flyout
      label="Quality flags"
      placement="bottom end"
      button={
        <Button look="quiet" icon={Flag}>
          Flags
        </Button>
      }
    >
      <div className="stack gap-3 w-[320px]">
        <p className="text-quiet">Flags doubtful values. Nothing is deleted.</p>
        <Rule label="Out of range" isOn={marks.isRangeOn} onSwitch={(isRangeOn) => set({ isRangeOn })}>
          <Amount label="Below, mm" value={bounds.min} onChange={(min) => setBounds({ min })} />
          <Amount label="Above, mm" value={bounds.max} onChange={(max) => setBounds({ max })} />
        </Rule>
        <Rule
          label="Formal uncertainty of ZTD"
          isOn={marks.isSigmaOn}
          isDisabled={variable !== "ztd"}
          onSwitch={(isSigmaOn) => set({ isSigmaOn })}
        >
          <Amount label="Above, mm" value={marks.sigmaMm} onChange={(sigmaMm) => set({ sigmaMm })} />
        </Rule>
        <Rule label="Step after a gap" isOn={marks.isStepOn} onSwitch={(isStepOn) => set({ isStepOn })}>
          <Amount
            label="Gap, min"
            max={MAX_MARK_MINUTES}
            value={marks.gapMinutes}
            onChange={(gapMinutes) => set({ gapMinutes })}
          />
          <Amount label="Step, mm" value={marks.stepMm} onChange={(stepMm) => set({ stepMm })} />
          <Amount
            label="Flagged for, min"
            max={MAX_MARK_MINUTES}
            value={marks.settleMinutes}
            onChange={(settleMinutes) => set({ settleMinutes })}
          />
        </Rule>
        <Rule label="Value does not change" isOn={marks.isStuckOn} onSwitch={(isStuckOn) => set({ isStuckOn })}>
          <Amount
            label="At least, min"
            max={MAX_MARK_MINUTES}
            value={marks.stuckMinutes}
            onChange={(stuckMinutes) => set({ stuckMinutes })}
          />
        </Rule>
      </div>
    </Flyout>
  );
}

function Rule(props: {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onSwitch: (isOn: boolean) => void;
  readonly children: ReactNode;
}) {
  const { label, isOn, isDisabled = false, onSwitch, children } = props;
  return (
    <fieldset className="stack gap-1 m-0 p-0 border-0">
      <legend className="visually-hidden">{label}</legend>
      <Checkbox isSelected={isOn} isDisabled={isDisabled} onChange={onSwitch}>
        {label}
      </Checkbox>
      {isOn && !isDisabled ? <div className={`${classes["amounts"]} flex gap-2 pl-6`}>{children}</div> : null}
    </fieldset>
  );
}

/** A number field; clearing it keeps the previous value. */
function Amount(props: {
  readonly label: string;
  readonly max?: number;
  readonly value: number;
  readonly onChange: (value: number) => void;
}) {
  const { label, max = Infinity, value, onChange } = props;
  return (
    <NumberField label={label} value={value} min={0} max={max} onChange={(next) => next !== null && onChange(next)} />
  );
}

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

interface CompareBarProps {
  readonly compared: ComparedStations;
  readonly choices: Choices;
  /** Opened files without a service can only be compared as products. */
  readonly isOfFiles: boolean;
}

/** The controls above a comparison: part, reference station, joining and flags. */
export function CompareBar({ compared, choices, isOfFiles }: CompareBarProps) {
  const { part } = choices;
  return (
    <div data-main className={classes["bar"]} role="group" aria-label="What is compared">
      {isOfFiles ? (
        <VariableToggles />
      ) : (
        <Segments
          label="Part"
          choices={PART_CHOICES}
          value={part}
          onChange={(next) => CHOICES.change({ part: next })}
        />
      )}
      {part === "pairs" ? (
        <>
          <span className={`inline-row gap-1.5 text-quiet ${classes["longName"]}`}>
            Reference
            <Select
              label="Reference station"
              choices={compared.stations.map((s) => ({ value: s.id, label: s.name }))}
              value={referenceOf(compared, choices)}
              onChange={(referenceId) => CHOICES.change({ referenceId, pair: null })}
            />
          </span>
          <Select
            label="Common epochs"
            choices={JOINING_CHOICES}
            value={choices.joining}
            onChange={(joining) => CHOICES.change({ joining })}
          />
        </>
      ) : null}
      <span className="flex-1" />
      {part === "product" ? null : <MarkControls choices={choices} />}
    </div>
  );
}

function MarkControls({ choices }: Pick<CompareBarProps, "choices">) {
  return (
    <>
      <Switch isSelected={choices.leavesOut} onChange={(leavesOut) => CHOICES.change({ leavesOut })}>
        Exclude flagged values
      </Switch>
      <MarksFlyout variable={choices.variable} marks={choices.marks} onChange={(marks) => CHOICES.change({ marks })} />
    </>
  );
}
