import { X } from "lucide-react";
import { memo } from "react";
import { Button } from "react-aria-components";
import { useWorkspace } from "../../stores/workspace.ts";
import { fileLines, type ShownSeries } from "./fileLines.ts";
import { removeSeries } from "./shownSeries.ts";
import classes from "./files.module.css";

/** A sample of a line's colour and dashes, for legends. */
export function LineSample({ colour, dash }: { readonly colour: `--${string}`; readonly dash: readonly number[] }) {
  return (
    <svg aria-hidden width="22" height="8" className="flex-none">
      <line x1="0" y1="4" x2="22" y2="4" stroke={`var(${colour})`} strokeWidth="2" strokeDasharray={dash.join(" ")} />
    </svg>
  );
}

interface FileLegendProps {
  readonly shown: readonly ShownSeries[];
  readonly onHighlight: (lineId: string | null) => void;
}

/** The legend of the sites of files; clicking an entry removes its lines from the plot. */
export const FileLegend = memo(function FileLegend({ shown, onHighlight }: FileLegendProps) {
  const slots = useWorkspace((s) => s.slots);
  if (shown.length === 0) return null;
  const sites = Map.groupBy(fileLines(shown, slots), ({ file, series, look }) =>
    [file.id, series.label, look.colour].join(" "),
  );
  return (
    <div role="group" aria-label="Series of files shown" className="flex flex-none flex-wrap gap-1 min-w-0 px-3 pb-1">
      {[...sites.values()].map((lines) =>
        lines.slice(0, 1).map(({ lineId, file, series, look }) => (
          <Button
            key={lineId}
            className={classes["entry"]}
            aria-label={`${series.label} ${file.name}, remove from the plot`}
            onPress={() => removeSeries(lines.map((line) => line.lineId))}
            onHoverChange={(isOver) => onHighlight(isOver ? lineId : null)}
            onFocusChange={(isIn) => onHighlight(isIn ? lineId : null)}
          >
            <LineSample {...look} />
            <span className={classes["name"]}>{series.label}</span>{" "}
            <span className={classes["quiet"]}>{file.name}</span>
            <X aria-hidden />
          </Button>
        )),
      )}
    </div>
  );
});
