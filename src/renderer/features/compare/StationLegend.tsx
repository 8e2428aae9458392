import { LineSwatch } from "../series/Legend.tsx";
import classes from "./compare.module.css";
import type { PlottedStation } from "./figures/picture.ts";

/** The colour of each compared station. */
export function StationLegend({ stations }: { readonly stations: readonly PlottedStation[] }) {
  return (
    <div className={classes["legend"]}>
      {stations.map(({ id, name, slot }) => (
        <span key={id}>
          <LineSwatch slot={slot} />
          <span className={classes["legendName"]} title={name}>
            {name}
          </span>
        </span>
      ))}
    </div>
  );
}
