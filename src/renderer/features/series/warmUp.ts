import { bridge } from "../../bridge/index.ts";
import type { PanelModel } from "#shared/plot/panel.ts";
import { createPanelView } from "../../plot/panelView.ts";
import { createStage } from "../../plot/stage.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { firstRequest } from "./loader.ts";
import { panelModels, panelVariables } from "#shared/plot/panels.ts";
import { queryOf, subjectOf } from "./query.ts";
import { wasPlotShown } from "./readAhead.ts";

const NO_EVENTS = { onView() {}, onReset() {}, onCursor() {}, onPress() {} };
/** Width of the invisible plot. */
const WIDTH_PX = 1_000;

let isDone = false;

/**
 * Reads a cached station and draws it off-screen, once. The first run of the code takes 0.1 s longer, which the user would
 * otherwise notice when selecting the first station.
 */
export async function warmUpPlot(connectionId: string): Promise<void> {
  if (isDone || wasPlotShown()) return;
  const workspace = useWorkspace.getState();
  const { range, showSigma } = workspace;
  const { variables, mode } = queryOf(subjectOf(workspace), connectionId);
  if (variables.length === 0 || mode.resampled) return;
  const covered = await bridge.catalogue.coverage({ connectionId, range, variables: [...variables], mode });
  const stationId = covered.ok ? covered.value.stationIds.find((_, i) => (covered.value.share[i] ?? 0) > 0) : undefined;
  if (stationId === undefined) return;
  const query = { connectionId, stationIds: [stationId], variables, mode };
  const answer = await bridge.series.window({ ...firstRequest(query, range, WIDTH_PX), ahead: true });
  if (!answer.ok || isDone) return;
  isDone = true;
  const models = (windows: typeof answer.value): PanelModel[] =>
    panelModels({
      panels: panelVariables(workspace.variables, showSigma),
      showSigma,
      stations: windows.map((w) => ({ id: w.stationId, name: "", slot: 0 })),
      windows: new Map(windows.map((w) => [w.stationId, w])),
      behind: new Map(),
      gaps: [],
      limits: {},
    });
  const stage = createStage(range, NO_EVENTS);
  const empty = models([]);
  for (const [i, drawn] of models(answer.value).entries()) {
    const panel = stage.addPanel(document.createElement("div"), empty[i] ?? drawn, createPanelView);
    panel.update(drawn);
    panel.remove();
  }
}
