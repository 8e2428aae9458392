import { Image } from "lucide-react";
import { memo } from "react";
import { seriesFigure } from "#shared/plot/figure/seriesFigure.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { snapToUnits } from "../../plot/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { saveFigure } from "../figure/open.ts";

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
