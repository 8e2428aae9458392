import { Image, Layers } from "lucide-react";
import { memo } from "react";
import { seriesFigure } from "#shared/plot/figure/seriesFigure.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import { type Arrangement, readArrangement } from "../../plot/arrange.ts";
import type { Stage } from "../../plot/stage.ts";
import { snapToUnits } from "../../plot/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { usePane, useWorkspace } from "../../stores/workspace.ts";
import { Button, Hint, Toggle, withShortcut } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { saveFigure } from "../figure/open.ts";
import { ARRANGEMENT, RAW_SHOWN, readRawShown } from "./query.ts";

const ARRANGEMENTS = [
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
  return <Select label="Arrangement of the lines" choices={ARRANGEMENTS} value={arrangement} onChange={choose} />;
});

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

interface SaveFigureProps {
  /** A ref, so that the button does not rerender when lines change. */
  readonly models: { readonly current: readonly PanelModel[] };
  readonly stage: Stage;
  /** Stations that are drawn or hidden by the user. */
  readonly drawn: number;
  readonly selected: number;
}

/** Saves the current panels as a figure. */
export const SaveFigure = memo(function SaveFigure({ models, stage, drawn, selected }: SaveFigureProps) {
  const save = (): void => saveFigure(seriesFigure(models.current, snapToUnits(stage.view()), { drawn, selected }));
  useCommand("figure", save);
  return (
    <Button look="quiet" onPress={save}>
      <Image aria-hidden />
      Save figure…
    </Button>
  );
});
