import { type KnownStation, stationLabel } from "#shared/service/catalogue.ts";
import type { Absence } from "#shared/series/gap.ts";
import { shortName, uncertaintyOf, VALUE_VARIABLES, type Variable } from "#shared/service/variables.ts";
import type { Size } from "../../map/camera.ts";
import { useCatalogue } from "../../stores/catalogue.ts";
import { useNowMs } from "../../stores/clock.ts";
import { ago } from "../../ui/text.ts";
import type { Frame } from "./frames.ts";
import classes from "./map.module.css";
import { absenceWords, timeDifference, valueText } from "./labels.ts";

interface HoverCardProps {
  readonly station: KnownStation;
  readonly frame: Frame | null;
  /** Why the station has no value; undefined if it has one, or until the cause is known. */
  readonly absence: Absence | undefined;
  readonly position: readonly [number, number];
  readonly size: Size;
}

const DISTANCE_PX = 14;

/** The station under the pointer, with its values at the moment of the snapshot. */
export function HoverCard({ station, frame, absence, position: [x, y], size }: HoverCardProps) {
  const network = useCatalogue((s) => s.catalogue.networks.find((n) => n.id === station.networkId));
  const nowMs = useNowMs();
  const { dataLastUpdatedMs: lastMs, locationAlias, countryCode } = station;
  const place = [locationAlias, countryCode].filter(Boolean).join(", ");
  // On the side with more space.
  const style = {
    ...(x > size.widthPx / 2 ? { right: size.widthPx - x + DISTANCE_PX } : { left: x + DISTANCE_PX }),
    ...(y > size.heightPx / 2 ? { bottom: size.heightPx - y + DISTANCE_PX } : { top: y + DISTANCE_PX }),
  };
  return (
    <div className={classes["card"]} style={style} aria-hidden>
      <b>{stationLabel(station)}</b>
      <span>{[network?.name || station.networkCode, place].filter(Boolean).join(" · ")}</span>
      {frame ? <Values station={station} frame={frame} absence={absence} /> : null}
      <span>{lastMs === null ? "No data received yet" : `Newest data ${ago(lastMs, nowMs)}`}</span>
    </div>
  );
}

interface ValuesProps extends Pick<HoverCardProps, "station" | "absence"> {
  readonly frame: Frame;
}

function Values({ station, frame, absence }: ValuesProps) {
  const found = VALUE_VARIABLES.flatMap((variable) => {
    const reading = frame.read(station.id, variable);
    return reading ? [{ variable, reading }] : [];
  });
  if (found.length === 0) return <span>No value at this moment{absence ? `, ${absenceWords(absence)}` : ""}</span>;
  const isFromService = found.some(({ reading }) => reading.from === "service");
  return (
    <>
      <table>
        <tbody>
          {found.map(({ variable, reading }) => (
            <tr key={variable}>
              <th>{shortName(variable)}</th>
              <td>{valueText(variable, reading.value)}</td>
              <td>{uncertaintyText(frame, station.id, variable)}</td>
              <td>{timeDifference(reading.timeMs, frame.momentMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isFromService ? <span>From the service, not saved</span> : null}
    </>
  );
}

function uncertaintyText(frame: Frame, stationId: string, variable: Variable): string {
  const name = uncertaintyOf(variable);
  const reading = name === null ? null : frame.read(stationId, name);
  return name !== null && reading ? `± ${valueText(name, reading.value)}` : "";
}
