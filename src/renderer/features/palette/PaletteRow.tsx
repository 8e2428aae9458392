import { stationLabel } from "#shared/service/catalogue.ts";
import { Bookmark, Check, ChevronRight, FileDown, Radio } from "lucide-react";
import { Keys } from "../../ui/notes.tsx";
import { IS_MAC, keysOf } from "../shell/keys.ts";
import type { PaletteItem } from "./items.ts";
import classes from "./palette.module.css";

interface PaletteRowProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly place: number;
  readonly total: number;
  readonly offsetPx: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onPoint: () => void;
  readonly onUse: (isAlone: boolean) => void;
}

/** A result. The focus stays in the search field, which points to the active row by `aria-activedescendant`. */
export function PaletteRow({ item, isActive, isChosen, ...props }: PaletteRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field has the focus and handles keys
    <div
      id={props.id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-posinset={props.place}
      aria-setsize={props.total}
      className={classes["row"]}
      style={{ transform: `translateY(${props.offsetPx}px)` }}
      onMouseMove={isActive ? undefined : props.onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => props.onUse(event.shiftKey)}
    >
      {item.kind === "command" ? <CommandLine item={item} /> : null}
      {item.kind === "view" ? <ViewLine name={item.view.name} /> : null}
      {item.kind === "export" ? <ExportLine name={item.saved.name} /> : null}
      {item.kind === "station" ? <StationLine item={item} isChosen={isChosen} /> : null}
    </div>
  );
}

function CommandLine({ item: { command, reason } }: { readonly item: PaletteItem & { readonly kind: "command" } }) {
  const [first] = keysOf(command, IS_MAC);
  return (
    <>
      <ChevronRight aria-hidden />
      <span className={classes["name"]}>{command.title}</span>
      {reason === null ? null : <span className={classes["more"]}>{reason}</span>}
      {first === undefined ? null : <Keys keys={first} />}
    </>
  );
}

function ViewLine({ name }: { readonly name: string }) {
  return (
    <>
      <Bookmark aria-hidden />
      <span className={classes["name"]}>View: {name}</span>
    </>
  );
}

function ExportLine({ name }: { readonly name: string }) {
  return (
    <>
      <FileDown aria-hidden />
      <span className={classes["name"]}>Run export: {name}</span>
    </>
  );
}

function StationLine(props: { readonly item: PaletteItem & { readonly kind: "station" }; readonly isChosen: boolean }) {
  const { station } = props.item;
  const place = [station.locationAlias, station.countryCode].filter(Boolean).join(", ");
  return (
    <>
      {props.isChosen ? <Check aria-hidden /> : <Radio aria-hidden />}
      <span className={classes["name"]}>{stationLabel(station)}</span>
      {props.isChosen ? <span className={classes["more"]}>selected</span> : null}
      <span className={classes["more"]}>{place}</span>
      <span className={classes["network"]}>{station.networkCode}</span>
    </>
  );
}
