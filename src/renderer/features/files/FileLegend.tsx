import { X } from "lucide-react";
import { Button } from "react-aria-components";
import { useWorkspace } from "../../stores/workspace.ts";
import classes from "./files.module.css";
import type { ShownSeries } from "./fileSeries.ts";
import { removeSeries } from "./shownSeries.ts";
import { LineSample } from "./LineSample.tsx";
import { fileLines, nameOfSeries } from "./fileLines.ts";

interface FileLegendProps {
  readonly shown: readonly ShownSeries[];
  readonly onHighlight: (lineId: string | null) => void;
}

/** The legend of series from files; clicking an entry removes its line from the plot. */
export function FileLegend({ shown, onHighlight }: FileLegendProps) {
  const slots = useWorkspace((s) => s.slots);
  if (shown.length === 0) return null;
  return (
    <div role="group" aria-label="Series of files shown" className={classes["legend"]}>
      {fileLines(shown, slots).map(({ lineId, file, series, look }) => (
        <Button
          key={lineId}
          className={classes["entry"]}
          aria-label={`${nameOfSeries(series)} ${series.quantity.name} ${file.name}, remove from the plot`}
          onPress={() => removeSeries(lineId)}
          onHoverChange={(isOver) => onHighlight(isOver ? lineId : null)}
          onFocusChange={(isIn) => onHighlight(isIn ? lineId : null)}
        >
          <LineSample {...look} />
          <span className={classes["name"]}>
            {nameOfSeries(series)} {series.quantity.name}
          </span>{" "}
          <span className={classes["quiet"]}>{file.name}</span>
          <X aria-hidden />
        </Button>
      ))}
    </div>
  );
}
