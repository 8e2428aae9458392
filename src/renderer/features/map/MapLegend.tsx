import { count } from "../../ui/text.ts";
import { type Legend, SERVICE_LABEL } from "./colouring.ts";
import classes from "./map.module.css";

/** Explains the colours, with unit and range, the symbols with a hole and the grey rings. */
export function MapLegend({ legend }: { readonly legend: Legend }) {
  const { title, ends, ramp, classes: own, noValue, serviceCount, note } = legend;
  return (
    <section aria-label="Legend" className={classes["legend"]}>
      <h3>{title}</h3>
      {ends ? (
        <>
          <div
            data-swatch
            className={classes["ramp"]}
            style={{ background: `linear-gradient(to right, ${ramp.join(", ")})` }}
            aria-hidden
          />
          <div className={classes["ends"]}>
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </div>
        </>
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
