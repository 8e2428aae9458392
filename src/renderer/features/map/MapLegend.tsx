import { Palette } from "lucide-react";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { Checkbox, Select } from "../../ui/choices.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { InputScope, useDiscard, useIsInvalid } from "../../ui/InputScope.tsx";
import { NumberField } from "../../ui/NumberField.tsx";
import { count } from "../../ui/text.ts";
import { type Legend, SERVICE_LABEL } from "./colouring.ts";
import { MAP } from "./mapState.ts";
import { COLOUR_MAPS, mapLook, quantityWords, type ScaleLook } from "./scale.ts";
import type { MapScale } from "./useScale.ts";
import classes from "./map.module.css";
import { usePane } from "../../stores/pane.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";

/** Explains the colours, with unit and range, the symbols with a hole and the grey rings. */
export function MapLegend({ legend }: { readonly legend: Legend }) {
  const { title, ends, ramp, classes: own, noValue, serviceCount, note } = legend;
  return (
    <section aria-label="Legend" className={classes["legend"]}>
      <h3>{title}</h3>
      {ends ? (
        <div className={classes["bar"]}>
          <div
            data-swatch
            className={classes["ramp"]}
            style={{ background: `linear-gradient(to right, ${ramp.join(", ")})` }}
            aria-hidden
          />
          <div className="flex justify-between">
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </div>
        </div>
      ) : null}
      <ul>
        {own.map(({ label, colour, count: n }) => (
          <li key={label}>
            <i data-swatch style={{ background: colour }} />
            <span title={label}>{label}</span>
            <em>{count(n)}</em>
          </li>
        ))}
        {serviceCount > 0 ? (
          <li>
            <i data-swatch data-service />
            <span>{SERVICE_LABEL}</span>
            <em>{count(serviceCount)}</em>
          </li>
        ) : null}
        {noValue.count > 0 ? (
          <li>
            <i data-swatch data-no-value />
            <span>{noValue.label}</span>
            <em>{count(noValue.count)}</em>
          </li>
        ) : null}
      </ul>
      {note ? <p>{note}</p> : null}
    </section>
  );
}

/** Range and colours of the scale, saved for each quantity. */
export function ScaleFlyout({ scale }: { readonly scale: MapScale }) {
  const [options] = usePane(MAP);
  const { quantity, look, automatic } = scale;
  if (quantity === null || look === null) return null;
  const set = (part: Partial<ScaleLook>): void =>
    MAP.change({ scales: { ...options.scales, [quantity]: { ...look, ...part } } });
  const field = fieldsOf(look, set);
  const { unit } = quantityWords(quantity);
  return (
    <Flyout label="Colour scale" button={<QuietButton label="Scale" icon={Palette} />}>
      <InputScope>
        <div className="stack caption gap-3 w-[240px]">
          <NumberField
            label={`Lowest value, ${unit}`}
            placeholder={automatic ? String(automatic[0]) : "automatic"}
            {...field("low")}
          />
          <NumberField
            label={`Highest value, ${unit}`}
            placeholder={automatic ? String(automatic[1]) : "automatic"}
            {...field("high")}
          />
          <Inverted look={look} />
          <Select label="Colours" showLabel choices={COLOUR_MAPS} {...field("map")} />
          <Checkbox {...field("isReversed")}>Reversed</Checkbox>
          <p>If left empty, the ends are the 2nd and 98th percentiles of all stations over the time range.</p>
          <Automatic onPress={() => set(mapLook(null, quantity))} />
        </div>
      </InputScope>
    </Flyout>
  );
}

function Automatic({ onPress }: { readonly onPress: () => void }) {
  const discard = useDiscard();
  const press = (): void => {
    discard();
    onPress();
  };
  return <Button onPress={press}>Automatic</Button>;
}

/** Says that the ends are in the wrong order, unless one of them is invalid. */
function Inverted({ look: { low, high } }: { readonly look: ScaleLook }) {
  if (useIsInvalid() || low === null || high === null || low < high) return null;
  return <p role="alert">The highest value must be greater than the lowest value.</p>;
}
