import { SlidersHorizontal } from "lucide-react";
import { memo } from "react";
import type { PanelModel } from "#shared/plot/panel.ts";
import { quantityTitle } from "#shared/plot/values.ts";
import { runCommand, useCommands } from "../../stores/commands.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { Switch } from "../../ui/choices.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { BesideChoice } from "./BesideChoice.tsx";
import { ValueRange } from "./ValueRange.tsx";
import { ArrangementChoice } from "./PlotTools.tsx";
import { STATISTICS_OPEN } from "./Statistics.tsx";
import { usePane } from "../../stores/pane.ts";

/** A value axis. */
export type Axis = Pick<PanelModel, "quantity" | "bounds">;

interface PlotOptionsProps {
  readonly axes: readonly Axis[];
  readonly onBounds: (key: string, bounds: readonly [number, number] | null) => void;
}

/** What is drawn and how, in one flyout: used less often than the choices of the bar above. */
export const PlotOptions = memo(function PlotOptions(props: PlotOptionsProps) {
  return (
    <Flyout
      label="Plot options"
      placement="bottom end"
      button={<QuietButton label="Plot options" icon={SlidersHorizontal} />}
    >
      <Options {...props} />
    </Flyout>
  );
});

function Options({ axes, onBounds }: PlotOptionsProps) {
  const showSigma = useWorkspace((s) => s.showSigma);
  const [hasStatistics, showStatistics] = usePane(STATISTICS_OPEN);
  const canSave = useCommands((s) => s.available.has("figure"));
  return (
    <div className="stack gap-2 w-[300px]">
      <ArrangementChoice />
      <BesideChoice />
      <Switch value={showSigma} onChange={(on) => useWorkspace.setState({ showSigma: on })}>
        ±σ as a band
      </Switch>
      <Switch value={hasStatistics} onChange={showStatistics}>
        Statistics of the visible range
      </Switch>
      {axes.map(({ quantity, bounds }) => (
        <div key={quantity.key} className="row justify-between gap-2 text-quiet">
          <span>Axis of {quantityTitle(quantity)}</span>
          <ValueRange quantity={quantity} bounds={bounds} onChange={onBounds} />
        </div>
      ))}
      <div className="flex justify-end gap-2">
        <Button slot="close" onPress={() => runCommand("annotate")}>
          Thresholds and notes…
        </Button>
        <Button slot="close" isDisabled={!canSave} onPress={() => runCommand("figure")}>
          Save figure…
        </Button>
      </div>
    </div>
  );
}
