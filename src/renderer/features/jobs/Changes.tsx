import { changeWords, keptSentence, type RefreshReport } from "#shared/job/refresh.ts";
import { stationName, useCatalogue } from "../../stores/catalogue.ts";
import { count, many, utc } from "../../ui/text.ts";
import classes from "./jobs.module.css";

/** What a refresh has changed, by station and day. */
export function Changes({ refreshed }: { readonly refreshed: RefreshReport }) {
  const byId = useCatalogue((s) => s.byId);
  const { days, moreDays, kept } = refreshed;
  return (
    <>
      <div className="row caption justify-between">
        <span>
          Compared with the cache: {changeWords(refreshed)}.{kept > 0 ? ` ${keptSentence(kept)}` : ""}
        </span>
      </div>
      {days.length > 0 ? (
        <div className="scroll max-h-42" tabIndex={0} role="region" aria-label="Changes by station and day">
          <table className={`${classes["changes"]} w-full border-collapse text-small`}>
            <thead>
              <tr>
                {["Station", "Day (UTC)", "Added", "Removed", "Changed", "Kept"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day) => (
                <tr key={`${day.dayMs} ${day.stationId}`}>
                  <td>{stationName(byId, day.stationId)}</td>
                  <td>{utc(day.dayMs).slice(0, 10)}</td>
                  <td>{count(day.added)}</td>
                  <td>{count(day.removed)}</td>
                  <td>{count(day.changed)}</td>
                  <td>{count(day.kept)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      {moreDays > 0 ? (
        <span className="caption overflow-hidden leading-4.5 text-ellipsis">
          {many(moreDays, "more day")} with changes
        </span>
      ) : null}
    </>
  );
}
