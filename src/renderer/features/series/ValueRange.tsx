import { MoveVertical } from "lucide-react";
import { memo, useState } from "react";
import type { PanelQuantity } from "#shared/plot/panel.ts";
import { exactValue } from "#shared/plot/values.ts";
import { isPossibleBound, boundsProblem } from "../../plot/view.ts";
import { Button, QuietButton } from "../../ui/Button.tsx";
import { Form, TextField } from "../../ui/fields.tsx";
import { Flyout } from "../../ui/Flyout.tsx";
import { parseNumber } from "../../ui/NumberField.tsx";

export interface ValueRangeProps {
  readonly quantity: PanelQuantity;
  readonly bounds: readonly [number, number] | null;
  readonly onChange: (key: string, bounds: readonly [number, number] | null) => void;
}

/** Lets the user fix the bounds of a value axis, or return to automatic bounds. */
export const ValueRange = memo(function ValueRange({ quantity, bounds, onChange }: ValueRangeProps) {
  const label = bounds ? `${exactValue(bounds[0])} to ${exactValue(bounds[1])}` : "Automatic";
  const name = `Range of the ${quantity.short} axis`;
  return (
    <Flyout
      label={name}
      placement="bottom end"
      button={<QuietButton label={label} aria-label={`${name}: ${label}`} icon={MoveVertical} />}
    >
      {(close) => (
        <BoundsForm
          quantity={quantity}
          bounds={bounds}
          onChange={(next) => {
            onChange(quantity.key, next);
            close();
          }}
        />
      )}
    </Flyout>
  );
});

function BoundsForm(props: {
  readonly quantity: PanelQuantity;
  readonly bounds: ValueRangeProps["bounds"];
  readonly onChange: (bounds: readonly [number, number] | null) => void;
}) {
  const [low, setLow] = useState(props.bounds ? String(props.bounds[0]) : "");
  const [high, setHigh] = useState(props.bounds ? String(props.bounds[1]) : "");
  const [isSubmitted, setSubmitted] = useState(false);
  const pair = [parseNumber(low), parseNumber(high)] as const;
  const problem = boundsProblem(props.quantity, ...pair);
  // Shown at the upper bound if only that one is invalid, else at the lower bound.
  const isOfUpper = isPossibleBound(props.quantity, pair[0]) && !isPossibleBound(props.quantity, pair[1]);
  const { unit } = props.quantity;
  const submit = (): void => {
    setSubmitted(true);
    if (problem === null && pair[0] !== null && pair[1] !== null) props.onChange([pair[0], pair[1]]);
  };
  const labelled = (label: string): string => (unit ? `${label}, ${unit}` : label);
  return (
    <Form onSubmit={submit} className="stack gap-3 w-[268px]">
      <TextField
        label={labelled("Upper bound")}
        value={high}
        onChange={setHigh}
        autoFocus
        problem={isSubmitted && isOfUpper ? problem : null}
      />
      <TextField
        label={labelled("Lower bound")}
        value={low}
        onChange={setLow}
        problem={isSubmitted && !isOfUpper ? problem : null}
      />
      <div className="flex justify-end gap-2">
        <Button onPress={() => props.onChange(null)} isDisabled={props.bounds === null}>
          Automatic
        </Button>
        <Button type="submit" look="primary">
          Fix
        </Button>
      </div>
    </Form>
  );
}
