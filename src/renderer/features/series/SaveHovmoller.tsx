import { Image } from "lucide-react";
import { formatRange } from "#shared/time/range.ts";
import { composeHovmoller, type Hovmoller } from "../../plot/hovmoller.ts";
import { composeSheet } from "#shared/plot/figure/sheet.ts";
import { useCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { dayOf } from "#shared/plot/figure/page.ts";
import { saveFigure } from "../figure/open.ts";

const MIN_HEIGHT = 220;
/** Height of title and time axis. */
const MARGIN_HEIGHT = 90;
const ROW_HEIGHT = 12;

/** Saves the diagrams, one below the other, as a figure. */
export function SaveHovmoller({ diagrams }: { readonly diagrams: readonly Hovmoller[] }) {
  const save = (): void => {
    const [first] = diagrams;
    if (!first) return;
    const variables = diagrams.map((diagram) => diagram.quantity.key).join("-");
    saveFigure({
      fileName: `zenith-hovmoller-${variables}-${dayOf(first.view.startMs)}-${dayOf(first.view.endMs)}`,
      compose: (page) =>
        composeSheet(
          {
            title: diagrams.map((diagram) => diagram.title).join("; "),
            subtitle: formatRange(first.view),
            legend: [],
            parts: diagrams.map((diagram) => ({
              height: () => Math.max(MIN_HEIGHT, MARGIN_HEIGHT + ROW_HEIGHT * diagram.rows.length),
              draw: (width, height, theme) => composeHovmoller(diagram, width, height, theme).shapes,
            })),
            notes: [],
          },
          page,
        ),
    });
  };
  useCommand("figure", save);
  return (
    <Button look="quiet" onPress={save}>
      <Image aria-hidden />
      Save figure…
    </Button>
  );
}
