import type { Absence } from "#shared/series/gap.ts";
import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import type { Size } from "../../map/camera.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { ago } from "../../ui/text.ts";
import type { Frame } from "./frames.ts";
import classes from "./map.module.css";
import { absenceWords, ageText, shortName, valueText } from "./words.ts";

interface HoverCardProps {
  readonly station: KnownStation;
  readonly frame: Frame | null;
  /** Why it has no value; undefined where it has one, or until it is known. */
  readonly absence: Absence | undefined;
  readonly place: readonly [number, number];
  readonly size: Size;
}

const AWAY_PX = 14;

/** What a station is, and what it showed at the moment of the snapshot. */
export function HoverCard({ station, frame, absence, place: [x, y], size }: HoverCardProps) {
  const network = useCatalogue((s) => s.catalogue.networks.find((n) => n.id === station.networkId));
  const nowMs = useNowMs();
  const { dataLastUpdatedMs: lastMs } = station;
  // On the side where there is room.
  const style = {
    ...(x > size.widthPx / 2 ? { right: size.widthPx - x + AWAY_PX } : { left: x + AWAY_PX }),
    ...(y > size.heightPx / 2 ? { bottom: size.heightPx - y + AWAY_PX } : { top: y + AWAY_PX }),
  };
  return (
    <div className={classes["card"]} style={style} aria-hidden>
      <b>{stationLabel(station)}</b>
      <span>{[network?.name || station.networkCode, placeText(station)].filter(Boolean).join(" · ")}</span>
      {frame ? <Values station={station} frame={frame} absence={absence} /> : null}
      <span>{lastMs === null ? "Never sent anything" : `Newest data ${ago(lastMs, nowMs)}`}</span>
    </div>
  );
}

interface ValuesProps extends Pick<HoverCardProps, "station" | "absence"> {
  readonly frame: Frame;
}

function Values({ station, frame, absence }: ValuesProps) {
  const ztd = frame.read(station.id, "ztd");
  const sigma = frame.read(station.id, "ztd_sigma");
  const pwv = frame.read(station.id, "pwv");
  if (!ztd && !pwv) return <span>No value at this moment{absence ? `, ${absenceWords(absence)}` : ""}</span>;
  const isTold = ztd?.from === "service" || pwv?.from === "service";
  return (
    <>
      <table>
        <tbody>
          {ztd ? (
            <tr>
              <th>{shortName("ztd")}</th>
              <td>{valueText("ztd", ztd.value)}</td>
              <td>{sigma ? `± ${valueText("ztd_sigma", sigma.value)}` : ""}</td>
              <td>{ageText(ztd.timeMs, frame.momentMs)}</td>
            </tr>
          ) : null}
          {pwv ? (
            <tr>
              <th>{shortName("pwv")}</th>
              <td>{valueText("pwv", pwv.value)}</td>
              <td />
              <td>{ageText(pwv.timeMs, frame.momentMs)}</td>
            </tr>
          ) : null}
        </tbody>
      </table>
      {isTold ? <span>From the service, not kept</span> : null}
    </>
  );
}

function placeText({ locationAlias, countryCode }: KnownStation): string {
  return [locationAlias, countryCode].filter(Boolean).join(", ");
}
