import type { BodyReport } from "../errors/bodyReport.ts";

/** The form of a time series body, once it has been read to its end. */
export interface BodyForm {
  /** The kind of its field `data`; a bare list is the list of rows itself; `empty` is a body without any value. */
  readonly data: "list" | "null" | "other" | "absent" | "empty";
  /** Elements of the list. */
  readonly rows: number;
  /** Elements without a readable time. */
  readonly timeless: number;
  readonly report: BodyReport;
  /** The sentence of an error body; null if it has none. */
  readonly refusal: string | null;
  readonly hasFields: boolean;
}

/**
 * - data: its rows, possibly none
 * - refused: an error instead of data
 * - unusable: without readable data
 * - otherShape: not a response of this service
 */
export type BodyVerdict = "data" | "refused" | "unusable" | "otherShape";

/**
 * Returns the meaning of a response with status 200. The specification (4.4) leaves open how a service reports that it
 * has no data; any well-formed way is accepted, because one response never proves an absence (`analysis/absence`).
 *
 * | body | verdict |
 * |---|---|
 * | `{"data":[…]}`, bare `[…]`, `{"data":null}`, `{"count":0}` | data |
 * | the same, and no row has a readable time | unusable |
 * | `{"error":…}` or `{"message":…}` without data | refused |
 * | `{"data":{…}}` and `data` of any other kind, `{"count":3}` | unusable |
 * | `{}`, `null`, no body at all, or only white space | unusable |
 * | an object with none of these fields | otherShape |
 */
export function classifyBody({ data, rows, timeless, report, refusal, hasFields }: BodyForm): BodyVerdict {
  switch (data) {
    case "list":
      return rows > 0 && timeless === rows ? "unusable" : "data";
    case "null":
      return "data";
    case "other":
    case "empty":
      return "unusable";
    case "absent":
      if (refusal !== null) return "refused";
      if (report.count !== null) return report.count === 0 ? "data" : "unusable";
      return hasFields ? "otherShape" : "unusable";
  }
}
