import { Copy, Star } from "lucide-react";
import { memo, useDeferredValue } from "react";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { copyText } from "../../stores/copyText.ts";
import { useNowMs } from "../../stores/clock.ts";
import { useFocus } from "../../stores/focus.ts";
import { toggleFavourite, useIsFavourite } from "../../stores/groups.ts";
import { jobSpecOf, useSelectionWithoutStations } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, IconButton } from "../../ui/Button.tsx";
import classes from "./catalogue.module.css";
import { CoverageStrip, StripLegend } from "./CoverageStrip.tsx";
import { useVariableStrips } from "./coverage.ts";
import { detailFields } from "./detailFields.ts";
import { toggleStation } from "./stationMenu.ts";
import { Swatch } from "./StationRow.tsx";

/** Details of the focused station, else of the last selected one. Deferred, so that the plot of a station comes first. */
export function StationDetail() {
  const focused = useFocus((s) => s.stationId);
  const lastSelectedId = useWorkspace((s) => s.stationIds.at(-1));
  const byId = useCatalogue((s) => s.byId);
  const current = byId.get(focused ?? "") ?? byId.get(lastSelectedId ?? "");
  const currentSlot = useWorkspace((s) => s.slots[current?.id ?? ""]);
  const station = useDeferredValue(current);
  const slot = useDeferredValue(currentSlot);
  if (!station) return <p className={classes["detailEmpty"]}>Select a station to see its details.</p>;
  return <Details station={station} slot={slot} />;
}

interface DetailsProps {
  readonly station: KnownStation;
  /** Index of its colour in the palette; undefined if it is not selected. */
  readonly slot: number | undefined;
}

const Details = memo(function Details({ station, slot }: DetailsProps) {
  const network = useCatalogue((s) => s.catalogue.networks.find((n) => n.id === station.networkId));
  const nowMs = useNowMs();
  return (
    <div className={classes["detail"]}>
      <DetailHead station={station} slot={slot} />
      <Strips stationId={station.id} />
      <dl className={classes["fields"]}>
        {detailFields(station, network, nowMs).map(({ title, text, hint }) => (
          <Field key={title} title={title} text={text} hint={hint} />
        ))}
      </dl>
    </div>
  );
});

function Field({ title, text, hint }: { readonly title: string; readonly text: string; readonly hint: string | null }) {
  return (
    <>
      <dt>{title}</dt>
      <dd title={hint ?? undefined}>{text}</dd>
    </>
  );
}

function DetailHead({ station, slot }: DetailsProps) {
  const isSelected = slot !== undefined;
  return (
    <header className={classes["detailHead"]}>
      {isSelected ? <Swatch slot={slot} /> : null}
      <h2 className={classes["detailName"]} title={stationLabel(station)}>
        {stationLabel(station)}
      </h2>
      <span className={classes["spring"]} />
      <Button look="quiet" onPress={() => toggleStation(station.id)}>
        {isSelected ? "Remove" : "Select"}
      </Button>
      <FavouriteButton stationId={station.id} />
      <IconButton label="Copy ID" onPress={() => copyText(station.id, "The station ID was copied.")}>
        <Copy aria-hidden />
      </IconButton>
    </header>
  );
}

function FavouriteButton({ stationId }: { readonly stationId: string }) {
  const isFavourite = useIsFavourite(stationId);
  return (
    <IconButton
      label={isFavourite ? "Remove from Favourites" : "Add to Favourites"}
      onPress={() => toggleFavourite(stationId)}
    >
      <Star aria-hidden {...(isFavourite ? { fill: "currentColor" } : {})} />
    </IconButton>
  );
}

function Strips({ stationId }: { readonly stationId: string }) {
  const { variables, range } = jobSpecOf(useSelectionWithoutStations());
  const strips = useVariableStrips(stationId);
  return (
    <section aria-label="Cached part of the time range">
      <div className={classes["strips"]}>
        {variables.map((variable) => (
          <Strip
            key={variable}
            name={shortName(variable)}
            meaning={variableInfo(variable).label}
            range={range}
            coverage={strips.get(variable)}
          />
        ))}
      </div>
      <StripLegend />
    </section>
  );
}

function Strip(props: {
  readonly name: string;
  readonly meaning: string;
  readonly range: Parameters<typeof CoverageStrip>[0]["range"];
  readonly coverage: Parameters<typeof CoverageStrip>[0]["coverage"];
}) {
  return (
    <>
      <span title={props.meaning}>{props.name}</span>
      <CoverageStrip range={props.range} coverage={props.coverage} />
    </>
  );
}
