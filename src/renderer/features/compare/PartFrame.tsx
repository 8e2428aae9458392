import type { ComponentProps, ReactNode } from "react";
import type { AppFault } from "#shared/fault.ts";
import { useIsFetching } from "../../stores/work.ts";
import { runCommand } from "../../stores/commands.ts";
import { QuietButton } from "../../ui/Button.tsx";
import type { MenuEntry } from "../../ui/MenuButton.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { useIsInvalid } from "../../ui/InputScope.tsx";
import { FaultNote } from "../../ui/notes.tsx";
import { SaveMenu } from "../../ui/SaveMenu.tsx";
import { firstNames } from "../../ui/text.ts";
import { FUTURE_WORDS } from "../fetch/labels.ts";
import { LineSwatch } from "../series/Legend.tsx";
import { type Asked, shownOf } from "../../ask/useAsk.ts";
import { type Choices, type ComparedStations, MAX_STATIONS } from "./useCompared.ts";
import type { PlottedStation } from "./figures/picture.ts";
import { saveSheet, saveTable, type Sheet } from "./save.ts";
import classes from "./compare.module.css";
import { AmountField } from "../../ui/NumberField.tsx";

/** A menu that saves the figures and tables of a part. @param others further entries */
function SaveSheet({ sheet, others }: { readonly sheet: Sheet; readonly others: readonly MenuEntry[] }) {
  const tables = sheet.tables.map((table) => {
    return { id: table.id, label: table.label, detail: "CSV", onAction: () => saveTable(sheet, table) };
  });
  const figure = sheet.pictures.length > 0 ? () => saveSheet(sheet) : null;
  return <SaveMenu label="Save what is shown" figure={figure} others={[...tables, ...others]} />;
}

/** The colour of each compared station. */
function StationLegend({ stations }: { readonly stations: readonly PlottedStation[] }) {
  return (
    <div className={classes["legend"]}>
      {stations.map(({ id, name, slot }) => (
        <span key={id}>
          <LineSwatch slot={slot} />
          <MiddleCut text={name} />
        </span>
      ))}
    </div>
  );
}

interface LabelledProps {
  readonly label: string;
  /** Whether the control shows a name, which may be long. */
  readonly isLong?: boolean;
  readonly children: ReactNode;
}

/** A control beside its label. */
export function Labelled({ label, isLong = false, children }: LabelledProps) {
  return (
    <span className={`inline-row gap-1.5 text-quiet ${isLong ? classes["longName"] : ""}`}>
      {label}
      {children}
    </span>
  );
}

export function LabelledAmount(props: ComponentProps<typeof AmountField>) {
  return (
    <Labelled label={props.label}>
      <span className={classes["input"]}>
        <AmountField {...props} isLabelHidden />
      </span>
    </Labelled>
  );
}

/** How long a changed input must rest before the core is asked, ms. */
export const REST_MS = 200;
/** Columns of time requested from the core: as fine as the widest screen. */
export const PLOT_COLUMNS = 3_000;

export interface PartProps {
  readonly compared: ComparedStations;
  readonly choices: Choices;
}

interface PartFrameProps {
  readonly answer: Asked<unknown>;
  readonly otherFault?: AppFault | null;
  /** The number of cached values of each station; none for products, which say themselves what they lack. */
  readonly counted?: readonly { readonly stationId: string; readonly n: number }[];
  readonly sheet: Sheet | null;
  /** Further entries of the menu that saves the sheet. */
  readonly others?: readonly MenuEntry[];
  readonly note: string;
  /** Fields of the part, which also stay while one is invalid. */
  readonly inputs?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of a part: an error, a way to fetch data if there are none, or the legend, the notes and the content. */
export function PartFrame({ answer, otherFault = null, counted = [], sheet, note, ...rest }: PartFrameProps) {
  const isBeingFetched = useIsFetching(counted.map(({ stationId }) => stationId));
  const isInvalid = useIsInvalid();
  const fault = answer.fault ?? otherFault;
  if (fault) {
    return (
      <div className={classes["part"]}>
        <FaultNote fault={fault} />
      </div>
    );
  }
  if (sheet === null || shownOf(answer) === null)
    return <p className="row flex-none gap-3 px-3 py-1 text-quiet">Reading the data</p>;
  const emptyIds = counted.filter(({ n }) => n === 0).map(({ stationId }) => stationId);
  const empty = sheet.stations.filter((s) => emptyIds.includes(s.id)).map((s) => s.name);
  if (counted.length > 0 && emptyIds.length === counted.length) {
    return (
      <p className="row flex-none gap-3 px-3 py-1 text-quiet" role="status">
        {sheet.range.startMs >= Date.now()
          ? FUTURE_WORDS
          : isBeingFetched
            ? "Comparisons appear here as data arrive."
            : "No data are cached for this range."}
      </p>
    );
  }
  // Of the numbers before; it keeps its place, so that nothing moves.
  const hidden = isInvalid ? "invisible" : "";
  return (
    <>
      <div className="row flex-none items-start gap-3 min-h-9 px-3 py-1 text-quiet">
        <div className="relative flex-1">
          <p className={hidden}>{note}</p>
          {isInvalid ? <p className="absolute top-0">Correct the marked number to see the comparison.</p> : null}
        </div>
        {/* Until the answer is there, the sheet is of an earlier question, under the new title. */}
        <div className={isInvalid || answer.value === null ? "invisible" : ""}>
          <SaveSheet sheet={sheet} others={rest.others ?? []} />
        </div>
      </div>
      <div className={classes["part"]} data-stale={answer.value === null || undefined}>
        {empty.length > 0 ? <StationsWithoutData names={empty} /> : null}
        <StationLegend stations={sheet.stations.slice(0, MAX_STATIONS)} />
        {rest.inputs}
        <div className={`contents ${hidden}`} inert={isInvalid}>
          {rest.children}
        </div>
      </div>
    </>
  );
}

/** Maximum number of station names; further ones are only counted. */
const MAX_NAMES = 5;

/** Lists stations without values; a button opens the list of gaps with their causes. */
function StationsWithoutData({ names }: { readonly names: readonly string[] }) {
  return (
    <p className="row flex-wrap gap-x-2 text-quiet" role="status">
      No values here: {firstNames(names, MAX_NAMES)}.
      <QuietButton label="Why" onPress={() => void runCommand("gaps")} />
    </p>
  );
}
