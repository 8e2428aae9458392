import { NO_VALUE } from "#shared/text.ts";
import { z } from "zod";
import { ChevronUp, Copy, type LucideProps, Square, SquareCheck, Star, X } from "lucide-react";
import { Fragment, memo, useDeferredValue } from "react";
import { type CatalogueStation, type KnownStation, type Network, stationLabel } from "#shared/service/catalogue.ts";
import { shortName, variableInfo } from "#shared/service/variables.ts";
import { countryName } from "#shared/station/search.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { copyText } from "../../stores/copyText.ts";
import { useCommand } from "../../stores/commands.ts";
import { useFocus } from "../../stores/focus.ts";
import { toggleFavourite, useIsFavourite } from "../../stores/groups.ts";
import { jobSpecOf, useSelectionWithoutStations } from "../../stores/selection.ts";
import { useWorkspace } from "../../stores/workspace.ts";
import { Button, Hint, IconButton, withShortcut } from "../../ui/Button.tsx";
import { MiddleCut } from "../../ui/MiddleCut.tsx";
import { ago, decimal, utc } from "../../ui/text.ts";
import { NO_DATA, NO_POSITION, rateWords, sourceWords } from "./columns.ts";
import { CoverageStrip, StripLegend, useVariableStrips } from "./CoverageStrip.tsx";
import { toggleStation } from "./stationMenu.ts";
import { LineSwatch } from "../series/Legend.tsx";
import classes from "./catalogue.module.css";
import { pane, usePane } from "../../stores/pane.ts";

interface DetailField {
  readonly title: string;
  readonly text: string;
  readonly hint: string | null;
}

const UNKNOWN = "Unknown";

/** Fields that are seldom looked for, by title. */
const RARE: ReadonlySet<string> = new Set(["Id", "Created", "Updated"]);

/** Returns all details of a station as text with units, with the reason if one is missing. */
export function detailFields(station: CatalogueStation, network: Network | undefined, nowMs: number): DetailField[] {
  const { latitudeDeg, longitudeDeg, dataLastUpdatedMs, resolutionSeconds: seconds } = station;
  return [
    field("Place", station.locationAlias, UNKNOWN),
    field("Country", station.countryCode && countryName(station.countryCode), UNKNOWN),
    field("Network", [station.networkCode, network?.name].filter(Boolean).join(" · "), UNKNOWN),
    field("Owner", network && (network.isOwner ? "your organization" : "another organization"), UNKNOWN),
    field("Visibility", visibilityText(network), UNKNOWN),
    field("Source", sourceWords(station.sourceType), UNKNOWN),
    field("Rate", seconds === 0 ? "native, the receiver's own rate" : `every ${rateWords(seconds)}`, UNKNOWN),
    field(
      "Last data",
      dataLastUpdatedMs === null ? null : `${ago(dataLastUpdatedMs, nowMs)}, ${utcText(dataLastUpdatedMs)}`,
      NO_DATA,
    ),
    field("First data", utcText(station.historicDataFromMs), NO_DATA),
    field(
      "Position",
      latitudeDeg === null || longitudeDeg === null ? null : positionText(latitudeDeg, longitudeDeg),
      NO_POSITION,
    ),
    field("Height", heights(metres(station.ellipsoidalHeight), metres(station.orthometricHeight)), NO_POSITION),
    field("Mountpoint", station.mountpoint, "Known only for the networks of your organization"),
    field("Id", station.id, UNKNOWN),
    field("Created", utcText(station.createdAtMs), UNKNOWN),
    field("Updated", utcText(station.updatedAtMs), UNKNOWN),
  ];
}

/** Returns the visibility of the network as given by the service, and whether it is internal. */
function visibilityText(network: Network | undefined): string | null {
  const internal = network?.isInternal;
  const words = [network?.visibility, internal === true ? "internal" : internal === false ? "not internal" : null];
  return words.filter(Boolean).join(", ") || null;
}

function positionText(latitudeDeg: number, longitudeDeg: number): string {
  return `${angle(latitudeDeg, "N", "S")}, ${angle(longitudeDeg, "E", "W")} (obfuscated by the service)`;
}

function angle(degrees: number, plus: string, minus: string): string {
  return `${Math.abs(degrees).toFixed(4)}° ${degrees < 0 ? minus : plus}`;
}

function heights(ellipsoidal: string | null, orthometric: string | null): string | null {
  if (ellipsoidal === null && orthometric === null) return null;
  return `${ellipsoidal ?? NO_VALUE} above WGS 84 ellipsoid, ${orthometric ?? NO_VALUE} above EGM2008 geoid`;
}

function field(title: string, text: string | null | undefined, missing: string): DetailField {
  return { title, text: text || NO_VALUE, hint: text ? null : missing };
}

function utcText(ms: number | null): string | null {
  return ms === null ? null : `${utc(ms)} UTC`;
}

function metres(m: number | null): string | null {
  return m === null ? null : `${decimal(m, 2)} m`;
}

/** Whether the details of a station are shown below the list. */
export const DETAILS_OPEN = pane("station.details", z.boolean().catch(false));

/** The focused station, else the last selected one. */
function useCurrentStation(): KnownStation | undefined {
  const focused = useFocus((s) => s.stationId);
  const lastSelectedId = useWorkspace((s) => s.stationIds.at(-1));
  const byId = useCatalogue((s) => s.byId);
  return byId.get(focused ?? "") ?? byId.get(lastSelectedId ?? "");
}

/** The closed details: a line below the list, which opens them. */
export function DetailsToggle() {
  const [isOpen, setOpen] = usePane(DETAILS_OPEN);
  const station = useDeferredValue(useCurrentStation());
  useCommand("details", () => setOpen(!isOpen));
  if (isOpen) return null;
  return (
    <div className={`${classes["closed"]} flex-none px-1 py-0.5 border-t border-line`}>
      <Hint text={withShortcut("Details of the station", "details")}>
        <Button look="quiet" aria-expanded={false} onPress={() => setOpen(true)} icon={ChevronUp}>
          <span className="truncate">{station ? `Details of ${stationLabel(station)}` : "Details of a station"}</span>
        </Button>
      </Hint>
    </div>
  );
}

/** Details of the current station. Deferred, so that the plot of a station comes first. */
export function StationDetail() {
  const current = useCurrentStation();
  const currentSlot = useWorkspace((s) => s.slots[current?.id ?? ""]);
  const station = useDeferredValue(current);
  const slot = useDeferredValue(currentSlot);
  if (!station)
    return (
      <div className="scroll flex-1 min-h-0 px-3 pt-2 pb-3">
        <header className="row gap-1.5 min-h-8">
          <p className="text-quiet">Select a station to see its details.</p>
          <span className="flex-1" />
          <CloseButton onPress={() => DETAILS_OPEN.set(false)} />
        </header>
      </div>
    );
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
  const fields = detailFields(station, network, nowMs);
  return (
    <div className="scroll flex-1 min-h-0 px-3 pt-2 pb-3">
      <DetailHead station={station} slot={slot} />
      <Strips stationId={station.id} />
      <Fields fields={fields.filter(({ title }) => !RARE.has(title))} />
      <details className={classes["more"]}>
        <summary>More</summary>
        <Fields fields={fields.filter(({ title }) => RARE.has(title))} />
      </details>
    </div>
  );
});

function Fields({ fields }: { readonly fields: readonly DetailField[] }) {
  return (
    <dl className={`${classes["fields"]} grid grid-cols-[96px_minmax(0,1fr)] gap-x-3 gap-y-0.5 pt-2 text-small`}>
      {fields.map(({ title, text, hint }) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd title={hint ?? undefined}>{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

function CloseButton({ onPress }: { readonly onPress: () => void }) {
  return <IconButton label="Close the details" command="details" onPress={onPress} icon={X} />;
}

function DetailHead({ station, slot }: DetailsProps) {
  const isSelected = slot !== undefined;
  return (
    <header className="row gap-1.5 min-h-8">
      {isSelected ? <LineSwatch slot={slot} /> : null}
      <h2 className="flex flex-1 min-w-0">
        <MiddleCut text={stationLabel(station)} />
      </h2>
      <IconButton
        label={isSelected ? "Deselect" : "Select"}
        onPress={() => toggleStation(station.id)}
        icon={isSelected ? SquareCheck : Square}
      />
      <FavouriteButton stationId={station.id} />
      <IconButton label="Copy ID" onPress={() => copyText(station.id, "The station ID was copied.")} icon={Copy} />
      <CloseButton onPress={() => DETAILS_OPEN.set(false)} />
    </header>
  );
}

function FilledStar(props: LucideProps) {
  return <Star {...props} fill="currentColor" />;
}

function FavouriteButton({ stationId }: { readonly stationId: string }) {
  const isFavourite = useIsFavourite(stationId);
  return (
    <IconButton
      label={isFavourite ? "Remove from Favourites" : "Add to Favourites"}
      onPress={() => toggleFavourite(stationId)}
      icon={isFavourite ? FilledStar : Star}
    />
  );
}

function Strips({ stationId }: { readonly stationId: string }) {
  const selection = useSelectionWithoutStations();
  const { range } = selection;
  const { variables } = jobSpecOf(selection);
  const strips = useVariableStrips(stationId);
  return (
    <section aria-label="Cached part of the time range">
      <div className={classes["strips"]}>
        {variables.map((variable) => (
          <Fragment key={variable}>
            <span title={variableInfo(variable).label}>{shortName(variable)}</span>
            <CoverageStrip label={shortName(variable)} range={range} coverage={strips.get(variable)} />
          </Fragment>
        ))}
      </div>
      <StripLegend />
    </section>
  );
}
