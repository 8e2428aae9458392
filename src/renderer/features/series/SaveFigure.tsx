import { Image } from "lucide-react";
import { memo } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { composeFigure } from "../../plot/figure/compose.ts";
import type { FigureSource } from "../../plot/figure/page.ts";
import type { PanelModel } from "../../plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { settled } from "../../plot/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { count } from "../../ui/text.ts";
import { dayOf, saveFigure } from "../figure/open.ts";

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
  const save = (): void => saveFigure(seriesFigure(models.current, settled(stage.view()), drawn, selected));
  useCommand("figure", save);
  return (
    <Button look="quiet" onPress={save}>
      <Image aria-hidden />
      Save figure…
    </Button>
  );
});

function seriesFigure(models: readonly PanelModel[], view: TimeRange, drawn: number, selected: number): FigureSource {
  const hasRaw = models.some((model) => model.lines.some((line) => line.behind !== null));
  const notes = [
    ...(hasRaw ? ["Dim points: observations rejected by the quality filter."] : []),
    ...(selected > drawn ? [`Drawn are the first ${count(drawn)} of ${count(selected)} selected stations.`] : []),
  ];
  const title = models.map((model) => model.quantity.label).join(", ");
  return { fileName: fileName(models, view), compose: (page) => composeFigure(models, view, { title, notes }, page) };
}

/** "zenith-ztd-pwv-20261114-20261121" */
function fileName(models: readonly PanelModel[], view: TimeRange): string {
  const variables = models
    .map((model) => model.quantity.key.replaceAll(/[^a-z0-9]+/gi, "-"))
    .join("-")
    .slice(0, 80);
  return `zenith-${variables}-${dayOf(view.startMs)}-${dayOf(view.endMs)}`;
}
