import { Palette } from "lucide-react";
import { Button } from "../../ui/Button.tsx";
import { Checkbox, Select } from "../../ui/choices.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import classes from "./map.module.css";
import { useMapOptions } from "./mapState.ts";
import { COLOUR_MAPS, defaultLook, quantityWords, type ScaleLook } from "./scale.ts";
import type { MapScale } from "./useScale.ts";

/** Range and colours of the scale, saved for each quantity. */
export function ScaleFlyout({ scale }: { readonly scale: MapScale }) {
  const [options, change] = useMapOptions();
  const { quantity, look, automatic } = scale;
  if (quantity === null || look === null) return null;
  const set = (part: Partial<ScaleLook>): void =>
    change({ scales: { ...options.scales, [quantity]: { ...look, ...part } } });
  const { unit } = quantityWords(quantity);
  const isInverted = look.low !== null && look.high !== null && look.low >= look.high;
  return (
    <Flyout
      label="Colour scale"
      button={
        <Button look="quiet">
          <Palette aria-hidden />
          Scale
        </Button>
      }
    >
      <div className={classes["scaleForm"]}>
        <NumberField
          label={`Lowest value, ${unit}`}
          placeholder={automatic ? String(automatic[0]) : "automatic"}
          value={look.low}
          onChange={(low) => set({ low })}
        />
        <NumberField
          label={`Highest value, ${unit}`}
          placeholder={automatic ? String(automatic[1]) : "automatic"}
          value={look.high}
          onChange={(high) => set({ high })}
        />
        {isInverted ? <p role="alert">The highest value must be greater than the lowest value.</p> : null}
        <Select label="Colours" showLabel choices={COLOUR_MAPS} value={look.map} onChange={(map) => set({ map })} />
        <Checkbox isSelected={look.isReversed} onChange={(isReversed) => set({ isReversed })}>
          Reversed
        </Checkbox>
        <p>If left empty, the ends are the 2nd and 98th percentiles of the selected stations over the time range.</p>
        <Button onPress={() => set(defaultLook(quantity))}>Automatic</Button>
      </div>
    </Flyout>
  );
}
