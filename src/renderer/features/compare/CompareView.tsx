import { GitCompareArrows } from "lucide-react";
import { useIsFilesAlone } from "../../stores/connection.ts";
import { InputScope } from "../../ui/InputScope.tsx";
import { EmptyState } from "../../ui/notes.tsx";
import { NoStation } from "../catalogue/NoStation.tsx";
import { useFiles } from "../files/store.ts";
import { useChoices, useCompared } from "./useCompared.ts";
import { CompareBar } from "./CompareBar.tsx";
import { DerivedPart } from "./DerivedPart.tsx";
import { PairsPart } from "./PairsPart.tsx";
import { ProductPart } from "./ProductPart.tsx";
import { RatePart } from "./RatePart.tsx";
import { StationsPart } from "./StationsPart.tsx";
import { count } from "../../ui/text.ts";

const PARTS = {
  pairs: PairsPart,
  stations: StationsPart,
  rate: RatePart,
  derived: DerivedPart,
  product: ProductPart,
} as const;

/** Compares the selected stations with each other, shows quantities derived from them, and compares products. */
export function CompareView() {
  const isFilesAlone = useIsFilesAlone();
  const hasFiles = useFiles((s) => s.files.length > 0);
  const compared = useCompared();
  const choices = useChoices(isFilesAlone);
  if (compared.chosen === 0 && !hasFiles) return NO_STATION;
  const Part = PARTS[choices.part];
  return (
    <InputScope>
      <div className="pane">
        <CompareBar compared={compared} choices={choices} isOfFiles={isFilesAlone} />
        {compared.chosen > compared.stations.length ? (
          <p className="row flex-none gap-3 px-3 py-1 text-quiet">
            The first {compared.stations.length} of {count(compared.chosen)} selected stations are compared.
          </p>
        ) : null}
        {choices.part !== "product" && compared.chosen === 0 ? (
          NO_STATION
        ) : choices.part === "pairs" && compared.chosen < 2 ? (
          <EmptyState icon={GitCompareArrows} title="Select two stations to compare">
            Select a second one in the list. The other tabs also work with one station.
          </EmptyState>
        ) : (
          <Part key={choices.part} compared={compared} choices={choices} />
        )}
      </div>
    </InputScope>
  );
}

const NO_STATION = (
  <NoStation icon={GitCompareArrows}>Select two or more stations in the list to compare their cached data.</NoStation>
);
