import { Image } from "lucide-react";
import { memo } from "react";
import { seriesFigure } from "#shared/plot/figure/seriesFigure.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { settled } from "../../plot/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { saveFigure } from "../figure/open.ts";

interface SaveFigureProps {
  /** What is drawn when the figure is asked for: another line is no reason to draw the button again. */
  readonly models: { readonly current: readonly PanelModel[] };
  readonly stage: Stage;
  /** Stations that are drawn, or hidden by the user, of those that are selected. */
  readonly drawn: number;
  readonly selected: number;
}

/** The panels as they are, for a paper or a message. */
export const SaveFigure = memo(function SaveFigure({ models, stage, drawn, selected }: SaveFigureProps) {
  const save = (): void => saveFigure(seriesFigure(models.current, settled(stage.view()), { drawn, selected }));
  useCommand("figure", save);
  return (
    <Button look="quiet" onPress={save}>
      <Image aria-hidden />
      Save figure…
    </Button>
  );
});
