import { Image } from "lucide-react";
import { memo } from "react";
import type { PanelModel } from "../../plot/panel.ts";
import type { Stage } from "../../plot/stage.ts";
import { settled } from "../../plot/view.ts";
import { useCommand } from "../../stores/commands.ts";
import { Button } from "../../ui/Button.tsx";
import { MenuButton } from "../../ui/MenuButton.tsx";
import { saveImage } from "./image.ts";

interface SaveImageProps {
  /** What is drawn when the picture is asked for: another line is no reason to draw the button again. */
  readonly models: { readonly current: readonly PanelModel[] };
  readonly stage: Stage;
}

/** The panels as they are, as a picture for a paper or a message. */
export const SaveImage = memo(function SaveImage({ models, stage }: SaveImageProps) {
  const save = (format: "png" | "svg") => (): void => void saveImage(format, models.current, settled(stage.view()));
  useCommand("image.png", save("png"));
  useCommand("image.svg", save("svg"));
  return (
    <MenuButton
      label="Save an image"
      button={
        <Button look="quiet">
          <Image aria-hidden />
          Image
        </Button>
      }
      entries={[
        { id: "png", label: "PNG", detail: "pixels, twice as fine", onAction: save("png") },
        { id: "svg", label: "SVG", detail: "vectors", onAction: save("svg") },
      ]}
    />
  );
});
