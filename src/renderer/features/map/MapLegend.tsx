import { count } from "../../ui/text.ts";
import { type Legend, TOLD_WORDS } from "./colouring.ts";
import classes from "./map.module.css";

/** What the colours say, with unit and range, and what holes and grey rings mean. */
export function MapLegend({ legend }: { readonly legend: Legend }) {
  const { title, ends, ramp, classes: own, nothing, told, note } = legend;
  return (
    <section aria-label="Legend" className={classes["legend"]}>
      <h3>{title}</h3>
      {ends ? (
        <>
          <div
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
            <i style={{ background: colour }} />
            <span title={label}>{label}</span>
            <em>{count(n)}</em>
          </li>
        ))}
        {told > 0 ? (
          <li>
            <i data-told />
            <span>{TOLD_WORDS}</span>
            <em>{count(told)}</em>
          </li>
        ) : null}
        {nothing.count > 0 ? (
          <li>
            <i data-nothing />
            <span>{nothing.label}</span>
            <em>{count(nothing.count)}</em>
          </li>
        ) : null}
      </ul>
      {note ? <p>{note}</p> : null}
    </section>
  );
}
