import { useEffect, useMemo, useState } from "react";
import { z } from "zod";
import { messageOf } from "#shared/fault.ts";
import { success } from "#shared/service/error.ts";
import type { Scene } from "#shared/plot/figure/scene.ts";
import { type AnimationSource, frameMoments, strides } from "../../plot/figure/animation.ts";
import { themeNamed } from "../../plot/theme.ts";
import { useCall } from "../../ask/useCall.ts";
import { saveBlob } from "../../stores/saveBlob.ts";
import { Button } from "../../ui/Button.tsx";
import { choicesFrom, Select } from "../../ui/choices.tsx";
import { DialogActions, useClose } from "../../ui/Dialog.tsx";
import { Progress } from "../../ui/notes.tsx";
import { count, duration, utcMinutes } from "../../ui/text.ts";
import classes from "./figure.module.css";
import { NamedSegments, PreviewColumn } from "./PreviewColumn.tsx";
import { provenance } from "./write.ts";
import { ANIMATION_FORMATS, animationFile, framePage } from "./writeAnimation.ts";
import { pane, usePane } from "../../stores/pane.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

const RATES = [2, 5, 10, 15] as const;
const WIDTHS = [640, 960, 1280, 1920] as const;
const THEMES = choicesFrom({ light: "Light", dark: "Dark" });
const LOOK = pane(
  "figure.animation",
  z.object({
    format: z.enum(ANIMATION_FORMATS).catch("gif"),
    framesPerSecond: z.literal(RATES).catch(10),
    widthPx: z.literal(WIDTHS).catch(960),
    theme: z.enum(THEMES.map(({ value }) => value)).catch("light"),
  }),
);
type Look = ReturnType<typeof LOOK.of>;

const FORMAT_NAMES = { gif: "GIF", png: "PNG frames" } as const;
const FORMATS = choicesFrom(FORMAT_NAMES);
const FORMAT_WORDS = {
  gif: "One file that repeats, for slides, pages and messages. At most 256 colours in a frame.",
  png: "Numbered images in a zip archive, for video editors.",
} as const;

/** The options, a preview frame and the progress of saving. */
export function AnimationForm({ source }: { readonly source: AnimationSource }) {
  const close = useClose();
  const [kept] = usePane(LOOK);
  const choices = useMemo(() => strides(source), [source]);
  const [wanted, setEvery] = useState<number | null>(null);
  const every = wanted ?? choices.find((n) => frameMoments(source, n).length <= USUAL_FRAMES) ?? choices.at(-1) ?? 1;
  const moments = useMemo(() => frameMoments(source, every), [source, every]);
  const { isBusy, share, fault, run, stop } = useCall();
  const preview = usePreview(source, moments[Math.floor(moments.length / 2)] ?? source.firstMs, kept);
  const done = Math.round((share ?? 0) * moments.length);
  const save = () =>
    run(async ({ signal, onShare }) => {
      const onFrame = (frames: number): void => onShare(frames / moments.length);
      const drawing = { theme: themeNamed(kept.theme), sourceText: await provenance(), signal, onFrame };
      const file = await animationFile(source, { ...kept, every }, drawing);
      saveBlob(file, `${source.fileName}.${kept.format === "gif" ? "gif" : "zip"}`);
      close();
      return success(null);
    });
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
            choices={choices.map((n) => ({ value: n, label: duration((n * source.stepMs) / 1_000) }))}
            value={every}
            onChange={setEvery}
          />
          <LookFields look={kept} />
        </div>
        <PreviewColumn
          scene={preview.scene}
          status={
            !isBusy
              ? `${count(moments.length)} frames, ${duration(Math.max(1, Math.round(moments.length / kept.framesPerSecond)))}`
              : `Drawing frame ${count(Math.min(done + 1, moments.length))} of ${count(moments.length)}`
          }
          problem={fault?.message ?? preview.problem}
        >
          {isBusy ? <Progress label="Frames" share={done / moments.length} text={null} /> : null}
        </PreviewColumn>
      </div>
      <DialogActions>
        <Button onPress={isBusy ? stop : close}>{isBusy ? "Stop" : "Cancel"}</Button>
        <Button look="primary" autoFocus isDisabled={isBusy} onPress={() => void save()}>
          Save {FORMAT_NAMES[kept.format]}
        </Button>
      </DialogActions>
    </>
  );
}

/** Pace, size, theme and format. */
function LookFields({ look }: { readonly look: Look }) {
  const field = fieldsOf(look, LOOK.change);
  return (
    <>
      <Select
        label="Frames per second"
        showLabel
        choices={RATES.map((n) => ({ value: n, label: String(n) }))}
        {...field("framesPerSecond")}
      />
      <Select
        label="Width"
        showLabel
        choices={WIDTHS.map((px) => ({ value: px, label: `${count(px)} pixels` }))}
        {...field("widthPx")}
      />
      <NamedSegments label="Theme" choices={THEMES} {...field("theme")} />
      <NamedSegments label="Format" choices={FORMATS} {...field("format")} />
      <p className="caption">{FORMAT_WORDS[look.format]}</p>
    </>
  );
}

/** Default number of frames, which play in a few seconds. */
const USUAL_FRAMES = 120;

/** Returns a preview frame, null until it is loaded, or why there is none. */
function usePreview(source: AnimationSource, momentMs: number, { widthPx, theme }: Look) {
  const [preview, setPreview] = useState<Preview>({ scene: null, problem: null });
  useEffect(() => {
    const control = new AbortController();
    const read = async (): Promise<void> => {
      const sourceText = await provenance();
      for await (const { compose } of source.figures([momentMs], control.signal)) {
        const scene = compose(framePage(widthPx, null, themeNamed(theme), sourceText));
        if (!control.signal.aborted) setPreview({ scene, problem: null });
      }
    };
    read().catch((fault: unknown) => {
      if (!control.signal.aborted) setPreview({ scene: null, problem: messageOf(fault) });
    });
    return () => control.abort();
  }, [source, momentMs, widthPx, theme]);
  return preview;
}

interface Preview {
  readonly scene: Scene | null;
  readonly problem: string | null;
}
