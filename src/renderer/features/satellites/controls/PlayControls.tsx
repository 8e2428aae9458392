import { Pause, Play } from "lucide-react";
import { memo, useState } from "react";
import type { TimeRange } from "#shared/time/range.ts";
import { IconButton } from "../../../ui/Button.tsx";
import { shownMoment, useMoment } from "../data/moment.ts";
import { QuietSelect } from "./quiet.ts";
import classes from "../satellites.module.css";
import type { Sky } from "../data/sky.ts";
import { usePlaying } from "./usePlaying.ts";
import { momentWords } from "../words.ts";

const SPEEDS = [
  { value: "60", label: "1 min/s" },
  { value: "600", label: "10 min/s" },
  { value: "3600", label: "1 h/s" },
  { value: "21600", label: "6 h/s" },
] as const;
type Speed = (typeof SPEEDS)[number]["value"];

/** Lets the time run, and says what it is. */
export function PlayControls({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const isPlaying = useMoment((s) => s.isPlaying);
  const [speed, setSpeed] = useState<Speed>("600");
  usePlaying(sky, range, Number(speed));
  return (
    <>
      <PlayButton isPlaying={isPlaying} />
      <QuietSelect label="Speed" choices={SPEEDS} value={speed} onChange={setSpeed} />
      <Time sky={sky} range={range} />
    </>
  );
}

const PlayButton = memo(function PlayButton({ isPlaying }: { readonly isPlaying: boolean }) {
  return (
    <IconButton label={isPlaying ? "Pause" : "Play"} onPress={() => useMoment.setState({ isPlaying: !isPlaying })}>
      {isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
    </IconButton>
  );
});

/** By itself, because it changes with every frame of a movement. */
function Time({ sky, range }: { readonly sky: Sky; readonly range: TimeRange }) {
  const momentMs = useMoment((s) => shownMoment(s.momentMs, sky, range));
  return <span className={classes["time"]}>{momentWords(momentMs)}</span>;
}
