import { Flag, GitCompareArrows } from "lucide-react";
import { useIsFilesAlone } from "../../stores/connection.ts";
import { InputScope } from "../../ui/InputScope.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { useFiles } from "../files/store.ts";
import {
  CHOICES,
  type Choices,
  type ComparedStations,
  type MarkChoices,
  referenceOf,
  useChoices,
  PART_CHOICES,
  useCompared,
} from "./useCompared.ts";
import { DerivedPart } from "./DerivedPart.tsx";
import { PairsPart } from "./PairsPart.tsx";
import { ProductPart } from "./ProductPart.tsx";
import { RatePart } from "./RatePart.tsx";
import { StationsPart } from "./StationsPart.tsx";
import { count } from "../../ui/text.ts";
import type { ReactNode } from "react";
import { MAX_MARK_MINUTES } from "#shared/bridge/methods/compare.ts";
import { QuietButton } from "../../ui/Button.tsx";
import { Checkbox, choicesFrom, Segments, Select, Switch } from "../../ui/choices.tsx";
import { VariableToggles } from "../fetch/SelectionControls.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { AmountField } from "../../ui/NumberField.tsx";
import classes from "./compare.module.css";
import { fieldsOf } from "../../ui/fieldsOf.ts";
import { Labelled } from "./PartFrame.tsx";

const PARTS = {
  pairs: PairsPart,
  stations: StationsPart,
  rate: RatePart,
  derived: DerivedPart,
  product: ProductPart,
} as const;

/** Compares the selected stations with each other, shows quantities derived from them, and compares products. */
export function CompareView() {
  const isFilesAlone = useIsFilesAlone();
  const hasFiles = useFiles((s) => s.files.length > 0);
  const compared = useCompared();
  const choices = useChoices(isFilesAlone);
  if (compared.chosen === 0 && !hasFiles) return NO_STATION;
  const Part = PARTS[choices.part];
  return (
    <InputScope>
      <div className="pane">
        <CompareBar compared={compared} choices={choices} isOfFiles={isFilesAlone} />
        {compared.chosen > compared.stations.length ? (
          <p className="row flex-none gap-3 px-3 py-1 text-quiet">
            The first {compared.stations.length} of {count(compared.chosen)} selected stations are compared.
          </p>
        ) : null}
        {choices.part !== "product" && compared.chosen === 0 ? (
          NO_STATION
        ) : choices.part === "pairs" && compared.chosen < 2 ? (
          <EmptyState icon={GitCompareArrows} title="Select two stations to compare">
            Select a second one in the list. The other tabs also work with one station.
          </EmptyState>
        ) : (
          <Part key={choices.part} compared={compared} choices={choices} />
        )}
      </div>
    </InputScope>
  );
}

const NO_STATION = (
  <NoStation icon={GitCompareArrows}>Select two or more stations in the list to compare their cached data.</NoStation>
);

/** The rules that flag a value as doubtful. Flags are a view of the data: nothing is deleted. */
function MarksFlyout({ variable, marks }: Pick<Choices, "variable" | "marks">) {
  const set = (part: Partial<MarkChoices>): void => CHOICES.change({ marks: { ...marks, ...part } });
  const field = fieldsOf(marks, set);
  const { ranges } = marks;
  const bound = fieldsOf(ranges[variable], (part) =>
    set({ ranges: { ...ranges, [variable]: { ...ranges[variable], ...part } } }),
  );
  return (
    <Flyout label="Quality flags" placement="bottom end" button={<QuietButton label="Flags" icon={Flag} />}>
      <div className="stack gap-3 w-[320px]">
        <p className="text-quiet">Flags doubtful values. Nothing is deleted.</p>
        <Rule label="Out of range" {...field("isRangeOn")}>
          <AmountField label="Below, mm" {...bound("min")} />
          <AmountField label="Above, mm" {...bound("max")} />
        </Rule>
        <Rule label="Formal uncertainty of ZTD" isDisabled={variable !== "ztd"} {...field("isSigmaOn")}>
          <AmountField label="Above, mm" {...field("sigmaMm")} />
        </Rule>
        <Rule label="Step after a gap" {...field("isStepOn")}>
          <AmountField label="Gap, min" max={MAX_MARK_MINUTES} {...field("gapMinutes")} />
          <AmountField label="Step, mm" {...field("stepMm")} />
          <AmountField label="Flagged for, min" max={MAX_MARK_MINUTES} {...field("settleMinutes")} />
        </Rule>
        <Rule label="Value does not change" {...field("isStuckOn")}>
          <AmountField label="At least, min" max={MAX_MARK_MINUTES} {...field("stuckMinutes")} />
        </Rule>
      </div>
    </Flyout>
  );
}

function Rule(props: {
  readonly label: string;
  readonly value: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (value: boolean) => void;
  readonly children: ReactNode;
}) {
  const { label, children, ...state } = props;
  return (
    <fieldset className="stack gap-1 m-0 p-0 border-0">
      <legend className="visually-hidden">{label}</legend>
      <Checkbox {...state}>{label}</Checkbox>
      {state.value && !state.isDisabled ? (
        <div className={`${classes["amounts"]} flex gap-2 pl-6`}>{children}</div>
      ) : null}
    </fieldset>
  );
}

const JOINING_CHOICES = choicesFrom({ nearest: "Nearest rows", means: "Interval means" });

interface CompareBarProps {
  readonly compared: ComparedStations;
  readonly choices: Choices;
  /** Opened files without a service can only be compared as products. */
  readonly isOfFiles: boolean;
}

/** The controls above a comparison: part, reference station, joining and flags. */
function CompareBar({ compared, choices, isOfFiles }: CompareBarProps) {
  const { part } = choices;
  const field = fieldsOf(choices, CHOICES.change);
  return (
    <div data-main className={classes["bar"]} role="group" aria-label="What is compared">
      {isOfFiles ? <VariableToggles /> : <Segments label="Part" choices={PART_CHOICES} {...field("part")} />}
      {part === "pairs" ? (
        <>
          <Labelled label="Reference" isLong>
            <Select
              label="Reference station"
              choices={compared.stations.map((s) => ({ value: s.id, label: s.name }))}
              value={referenceOf(compared, choices)}
              onChange={(referenceId) => CHOICES.change({ referenceId, pair: null })}
            />
          </Labelled>
          <Select label="Common epochs" choices={JOINING_CHOICES} {...field("joining")} />
        </>
      ) : null}
      <span className="flex-1" />
      {part === "product" ? null : (
        <>
          <Switch {...field("leavesOut")}>Exclude flagged values</Switch>
          <MarksFlyout {...choices} />
        </>
      )}
    </div>
  );
}
