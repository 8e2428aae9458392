import type { TimeRange } from "#shared/time/range.ts";
import { HOUR_MS } from "#shared/time/utc.ts";
import { Slider } from "../../../ui/Slider.tsx";
import { VIEW_LEFT_PX, VIEW_RIGHT_PX } from "../draw/inView.ts";
import { shownMoment, useMoment } from "../data/moment.ts";
import classes from "../satellites.module.css";
import type { Sky } from "../data/sky.ts";
import { momentWords } from "../words.ts";

interface TimeProps {
  readonly sky: Sky;
  readonly range: TimeRange;
}

/** Half the width of the slider's handle, so that its centre aligns with the plot. */
const HANDLE_PX = 8;

/** A slider for the moment, aligned with the plot above. */
export function TimeSlider({ sky, range }: TimeProps) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  const steps = Math.max(1, Math.ceil((range.endMs - range.startMs) / sky.stepMs) - 1);
  return (
    <div style={{ paddingLeft: VIEW_LEFT_PX - HANDLE_PX, paddingRight: VIEW_RIGHT_PX - HANDLE_PX }}>
      <Slider
        label="Moment of the sky plot"
        min={0}
        max={steps}
        step={1}
        page={Math.max(1, Math.round(HOUR_MS / sky.stepMs))}
        value={Math.round((momentMs - range.startMs) / sky.stepMs)}
        text={momentWords(momentMs)}
        onChange={(step) => useMoment.setState({ momentMs: range.startMs + step * sky.stepMs })}
      />
    </div>
  );
}

/** A vertical line at the moment over the plot. */
export function MomentLine({ sky, range }: TimeProps) {
  const share = useMoment((s) => (shownMoment(s.momentMs, sky, range) - range.startMs) / (range.endMs - range.startMs));
  return (
    <div className={classes["momentFrame"]} style={{ left: VIEW_LEFT_PX, right: VIEW_RIGHT_PX }}>
      <div className={classes["momentLine"]} style={{ left: `${share * 100}%` }} />
    </div>
  );
}
