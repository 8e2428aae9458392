import { Bookmark, CalendarRange, Check, ChevronRight, FileDown, type LucideIcon, Radio } from "lucide-react";
import { stationLabel } from "#shared/service/catalogue.ts";
import { Keys } from "../../ui/notes.tsx";
import { utcMinutes } from "../../ui/text.ts";
import { IS_MAC, keysOf } from "../shell/keys.ts";
import type { PaletteItem } from "./items.ts";
import classes from "./palette.module.css";
import { movingText } from "#shared/time/typed.ts";
import { lowerFirst } from "#shared/text.ts";

/** What the row says: an icon, the name and, at the end, a key, a place or why a command is unavailable. */
export function RowContent({ item, isChosen }: { readonly item: PaletteItem; readonly isChosen: boolean }) {
  switch (item.kind) {
    case "command": {
      const [first] = keysOf(item.command, IS_MAC);
      return (
        <>
          <Name icon={ChevronRight} text={item.command.title} />
          {item.reason === null ? null : <span className={classes["more"]}>{item.reason}</span>}
          {first === undefined ? null : <Keys keys={first} />}
        </>
      );
    }
    case "view":
      return <Name icon={Bookmark} text={`View: ${item.view.name}`} />;
    case "export":
      return <Name icon={FileDown} text={`Run export: ${item.saved.name}`} />;
    case "range": {
      const { range, moving } = item.shown;
      const ends = `${utcMinutes(range.startMs)} → ${utcMinutes(range.endMs)} UTC`;
      if (moving === null) return <Name icon={CalendarRange} text={`Show ${ends}`} />;
      return (
        <>
          <Name icon={CalendarRange} text={`Show ${lowerFirst(movingText(moving))}`} />
          <span className={classes["more"]}>{ends}, moves with the clock</span>
        </>
      );
    }
    case "station": {
      const { station } = item;
      const place = [station.locationAlias, station.countryCode].filter(Boolean).join(", ");
      return (
        <>
          <Name icon={isChosen ? Check : Radio} text={stationLabel(station)} />
          {isChosen ? <span className={classes["more"]}>selected</span> : null}
          <span className={classes["more"]}>{place}</span>
          <span className={`${classes["network"]} w-16 text-right`}>{station.networkCode}</span>
        </>
      );
    }
  }
}

function Name({ icon: Icon, text }: { readonly icon: LucideIcon; readonly text: string }) {
  return (
    <>
      <Icon aria-hidden />
      <span className="flex-1 min-w-16 overflow-hidden text-ellipsis">{text}</span>
    </>
  );
}
