import type { OpenedFile } from "#shared/file/opened.ts";
import { Select, choicesFrom } from "../../ui/choices.tsx";
import { CHOICES, type Choices, PAIRING_CHOICES, REJECTED_CHOICES } from "./useCompared.ts";
import classes from "./compare.module.css";
import { isGridded, type Product, type Products } from "./productQuery.ts";
import { fieldsOf } from "../../ui/fieldsOf.ts";
import { Labelled, LabelledAmount } from "./PartFrame.tsx";

const GRID_CHOICES = choicesFrom({ bilinear: "Grid interpolated to each site", nearest: "Nearest point of the grid" });
const HEIGHT_CHOICES = choicesFrom({ none: "No height correction", saastamoinen: "B reduced to the height of A" });

/** Prefix of file ids among the choices, so that no id equals `STATIONS` or `STANDARD`. */
const FILE = "file ";
const STATIONS = "stations";
const STANDARD = "standard";

interface ProductBarProps {
  /** Open files that contain the variable. */
  readonly files: readonly OpenedFile[];
  /** Files with pressures, from which PWV can be derived; null if it is not derived. */
  readonly pressures: readonly OpenedFile[] | null;
  readonly products: Products;
  /** The caches of other connections, available as B. */
  readonly others: readonly Product[];
  readonly hasStations: boolean;
  readonly choices: Choices;
}

/** The controls of a product comparison: A, B, and how epochs and sites are paired. */
export function ProductBar(props: ProductBarProps) {
  const { pressures, choices } = props;
  const field = fieldsOf(choices, CHOICES.change);
  return (
    <div className={classes["bar"]} role="group" aria-label="How the file is compared">
      <Sources {...props} />
      {pressures ? (
        <Select
          label="PWV derived from ZTD with"
          choices={[
            { value: STANDARD, label: "PWV by the standard atmosphere" },
            ...pressures.map(({ id, name }) => ({ value: FILE + id, label: `PWV by the pressure of ${name}` })),
          ]}
          value={choices.pressureFileId === null ? STANDARD : FILE + choices.pressureFileId}
          onChange={(value) => CHOICES.change({ pressureFileId: value === STANDARD ? null : value.slice(FILE.length) })}
        />
      ) : null}
      <Select label="Pairs of epochs" choices={PAIRING_CHOICES} {...field("pairing")} />
      {isGridded(props.products) ? (
        <Select label="Values of the grid" choices={GRID_CHOICES} {...field("grid")} />
      ) : null}
      <Select label="Outliers" choices={REJECTED_CHOICES} {...field("rejected")} />
      {choices.variable === "ztd_sigma" ? null : (
        <Select label="Height correction" choices={HEIGHT_CHOICES} {...field("height")} />
      )}
      <LabelledAmount label="Maximum distance, km" max={20_000} {...field("withinKm")} />
    </div>
  );
}

/** The choice of A and B, which differ. */
function Sources({ files, products: { a, b }, others, hasStations }: ProductBarProps) {
  const named = files.map(({ id, name }) => ({ value: FILE + id, label: name }));
  const chooseA = (value: string): void => {
    const fileIdA = value === STATIONS ? null : value.slice(FILE.length);
    // Choosing B as A swaps the two.
    CHOICES.change({ fileIdA, fileId: fileIdA === b.id ? (a?.id ?? null) : b.id });
  };
  const chooseB = (value: string): void => {
    const fileId = value.slice(FILE.length);
    CHOICES.change({ fileId, fileIdA: fileId === a?.id ? b.id : (a?.id ?? null) });
  };
  return (
    <>
      <Labelled label="A" isLong>
        <Select
          label="A"
          choices={[...(hasStations ? [{ value: STATIONS, label: "Selected stations" }] : []), ...named]}
          value={a ? FILE + a.id : STATIONS}
          onChange={chooseA}
        />
      </Labelled>
      <Labelled label="B" isLong>
        <Select
          label="B"
          choices={[...named, ...others.map(({ id, name }) => ({ value: FILE + id, label: `Cache of ${name}` }))]}
          value={FILE + b.id}
          onChange={chooseB}
        />
      </Labelled>
    </>
  );
}
