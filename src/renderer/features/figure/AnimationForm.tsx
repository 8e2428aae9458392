import { useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import type { Scene } from "#shared/plot/figure/scene.ts";
import { type AnimationSource, momentsOf, strides } from "../../plot/figure/animation.ts";
import { themeNamed } from "../../plot/theme.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { optionsReader, usePane } from "../../stores/workspace.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/choices.tsx";
import { DialogActions } from "../../ui/Dialog.tsx";
import { count, duration, utcMinutes } from "../../ui/text.ts";
import classes from "./figure.module.css";
import { NamedSegments, PreviewColumn } from "./PreviewColumn.tsx";
import { provenance } from "./write.ts";
import { ANIMATION_FORMATS, animationFile, framePage } from "./writeAnimation.ts";

const RATES = [2, 5, 10, 15] as const;
const WIDTHS = [640, 960, 1280, 1920] as const;
const THEMES = ["light", "dark"] as const;
const look = z.object({
  format: z.enum(ANIMATION_FORMATS).catch("gif").default("gif"),
  framesPerSecond: z.literal(RATES).catch(10).default(10),
  widthPx: z.literal(WIDTHS).catch(960).default(960),
  theme: z.enum(THEMES).catch("light").default("light"),
});
type Look = z.output<typeof look>;

const readLook = optionsReader(look);

const FORMAT_NAMES = { gif: "GIF", png: "PNG frames" } as const;
const FORMAT_WORDS = {
  gif: "One file that repeats, for slides, pages and messages. At most 256 colours in a frame.",
  png: "Numbered images in a zip archive, for video editors.",
} as const;

interface AnimationFormProps {
  readonly source: AnimationSource;
  readonly onClose: () => void;
}

/** The options, a preview frame and the progress of saving. */
export function AnimationForm({ source, onClose }: AnimationFormProps) {
  const [kept, setKept] = usePane("figure.animation", readLook);
  const choices = useMemo(() => strides(source), [source]);
  const [wanted, setEvery] = useState<number | null>(null);
  const every = wanted ?? usualStride(source, choices);
  const moments = useMemo(() => momentsOf(source, every), [source, every]);
  const [done, setDone] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const preview = usePreview(source, moments[Math.floor(moments.length / 2)] ?? source.firstMs, kept, setProblem);

  const change = (part: Partial<Look>): void => setKept({ ...kept, ...part });
  const save = async (): Promise<void> => {
    const control = new AbortController();
    running.current = control;
    setProblem(null);
    setDone(0);
    try {
      const drawing = {
        theme: themeNamed(kept.theme),
        origin: await provenance(),
        signal: control.signal,
        onFrame: setDone,
      };
      const file = await animationFile(source, { ...kept, every }, drawing);
      saveBlob(file, `${source.fileName}.${kept.format === "gif" ? "gif" : "zip"}`);
      onClose();
    } catch (fault) {
      if (!control.signal.aborted) setProblem(fault instanceof Error ? fault.message : String(fault));
    } finally {
      running.current = null;
      setDone(null);
    }
  };
  const isBusy = done !== null;
  return (
    <>
      <div className={classes["columns"]}>
        <div className={classes["fields"]} inert={isBusy}>
          <p className="caption">
            {utcMinutes(source.firstMs)} → {utcMinutes(source.lastMs)} UTC, the time range of the view
          </p>
          <Select
            label="A frame every"
            showLabel
            choices={choices.map((n) => ({ value: String(n), label: duration((n * source.stepMs) / 1_000) }))}
            value={String(every)}
            onChange={(n) => setEvery(Number(n))}
          />
          <Select
            label="Frames per second"
            showLabel
            choices={RATES.map((n) => ({ value: String(n), label: String(n) }))}
            value={String(kept.framesPerSecond)}
            onChange={(n) => change({ framesPerSecond: RATES.find((rate) => String(rate) === n) ?? 10 })}
          />
          <Select
            label="Width"
            showLabel
            choices={WIDTHS.map((px) => ({ value: String(px), label: `${count(px)} pixels` }))}
            value={String(kept.widthPx)}
            onChange={(px) => change({ widthPx: WIDTHS.find((width) => String(width) === px) ?? 960 })}
          />
          <NamedSegments
            label="Theme"
            choices={THEMES.map((value) => ({ value, label: value === "light" ? "Light" : "Dark" }))}
            value={kept.theme}
            onChange={(theme) => change({ theme })}
          />
          <NamedSegments
            label="Format"
            choices={ANIMATION_FORMATS.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
            value={kept.format}
            onChange={(format) => change({ format })}
          />
          <p className="caption">{FORMAT_WORDS[kept.format]}</p>
        </div>
        <PreviewColumn
          scene={preview}
          status={
            isBusy
              ? `Drawing frame ${count(Math.min(done + 1, moments.length))} of ${count(moments.length)}`
              : `${count(moments.length)} frames, ${duration(Math.max(1, Math.round(moments.length / kept.framesPerSecond)))}`
          }
          problem={problem}
        >
          {isBusy ? <progress className="w-full" aria-label="Frames" value={done} max={moments.length} /> : null}
        </PreviewColumn>
      </div>
      <DialogActions>
        <Button onPress={() => (running.current ? running.current.abort() : onClose())}>
          {isBusy ? "Stop" : "Cancel"}
        </Button>
        <Button look="primary" isDisabled={isBusy} onPress={() => void save()}>
          Save {FORMAT_NAMES[kept.format]}
        </Button>
      </DialogActions>
    </>
  );
}

/** Default number of frames, which play in a few seconds. */
const USUAL_FRAMES = 120;

function usualStride(source: AnimationSource, choices: readonly number[]): number {
  return choices.find((every) => momentsOf(source, every).length <= USUAL_FRAMES) ?? choices.at(-1) ?? 1;
}

/** Returns a preview frame; null until it is loaded. */
function usePreview(
  source: AnimationSource,
  momentMs: number,
  { widthPx, theme }: Look,
  onProblem: (sentence: string) => void,
): Scene | null {
  const [scene, setScene] = useState<Scene | null>(null);
  const latest = useRef(onProblem);
  latest.current = onProblem;
  useEffect(() => {
    const control = new AbortController();
    const read = async (): Promise<void> => {
      const origin = await provenance();
      for await (const { compose } of source.figures([momentMs], control.signal)) {
        if (!control.signal.aborted) setScene(compose(framePage(widthPx, null, themeNamed(theme), origin)));
      }
    };
    read().catch((fault: unknown) => {
      if (!control.signal.aborted) latest.current(fault instanceof Error ? fault.message : String(fault));
    });
    return () => control.abort();
  }, [source, momentMs, widthPx, theme]);
  return scene;
}
