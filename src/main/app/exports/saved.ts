import type { EditedExport } from "#shared/bridge/methods/export.ts";
import { hasSameSettings } from "#shared/edits.ts";
import { type AppFault, usageFailure } from "#shared/fault.ts";
import type { ExportRequest } from "#shared/file/export.ts";
import type { FigureSettings, VectorFormat } from "#shared/file/figure.ts";
import { withExtension } from "#shared/file/fileName.ts";
import { type SavedExport, savedExport, withExportEdit } from "#shared/file/savedExport.ts";
import { type Result, success } from "#shared/service/error.ts";
import { isScalar } from "#shared/service/variables.ts";
import type { SavedExportRecord } from "../../store/user/types.ts";
import type { OpenConnection } from "../connections/connections.ts";
import { changedElsewhere, readableRecords, readContent, unreadableRecords } from "../recordContent.ts";
import type { FigureRequest } from "./figure.ts";
import { nameOf } from "./place.ts";
import type { UserStore } from "../../store/index.ts";

const MAX_SAVED = 500;

/** Named exports in user.db. Every function throws `StoreError`. */
export class SavedExports {
  readonly #users: UserStore;

  constructor(users: UserStore) {
    this.#users = users;
  }

  /** Sorted by name, without records that this version cannot read. */
  list(): SavedExport[] {
    return readableRecords(this.#users.savedExports(), read);
  }

  /** Names of unreadable records: damaged, or of a newer version. They can only be removed. */
  unreadable(): string[] {
    return unreadableRecords(this.#users.savedExports(), read);
  }

  find(name: string): Result<SavedExport, AppFault> {
    const all = this.list();
    const found = all.find((saved) => saved.name === name.trim());
    if (found) return success(found);
    const names = all.map((saved) => `“${saved.name}”`).join(", ");
    return usageFailure(
      `There is no saved export “${name}”. ${names === "" ? "There are none. Save one in the export dialog of the window." : `There is ${names}.`}`,
    );
  }

  /**
   * @param replaces the only export that it may replace, under whatever name; null: none. If it was changed, nothing is saved.
   * @returns the replaced export; null if there was none
   */
  save(saved: SavedExport, replaces?: SavedExport | null): Result<SavedExport | null, AppFault> {
    if (!this.#users.connections().some((c) => c.id === saved.connectionId))
      return usageFailure("This connection no longer exists. Choose another one.");
    const kept = this.#users.savedExports();
    const before = kept.find((record) => record.name === saved.name);
    if (!before && kept.length >= MAX_SAVED)
      return usageFailure(`There can be at most ${MAX_SAVED} saved exports. Remove some that you no longer need.`);
    if (replaces === null && before) return changedElsewhere(saved.name);
    if (replaces) {
      const current = this.#stored(replaces.name);
      if (!current || !hasSameSettings(current, replaces)) return changedElsewhere(replaces.name);
      const replaced = this.#replace(replaces.name, saved);
      return replaced.ok ? success(current) : replaced;
    }
    this.#users.putSavedExport(recordOf(saved));
    return success(before ? read(before) : null);
  }

  /** Applies the changes from `before` to `edited`, and the new name, to the stored export. */
  edit(before: SavedExport, edited: SavedExport): Result<EditedExport, AppFault> {
    const replaced = this.#stored(before.name);
    if (!replaced) return usageFailure(`The saved export “${before.name}” no longer exists.`);
    const saved = withExportEdit(replaced, before, edited);
    const answer = this.#replace(before.name, saved);
    return answer.ok ? success({ saved, replaced }) : answer;
  }

  remove(name: string): void {
    this.#users.deleteSavedExport(name);
  }

  /** Stores an export in place of another one. */
  #replace(from: string, to: SavedExport): Result<null, AppFault> {
    if (from !== to.name && this.#users.savedExports().some((record) => record.name === to.name))
      return usageFailure(`Another saved export is called “${to.name}”: choose another name.`);
    this.#users.renameSavedExport(from, recordOf(to));
    return success(null);
  }

  #stored(name: string): SavedExport | null {
    const record = this.#users.savedExports().find((one) => one.name === name);
    return record ? read(record) : null;
  }
}

function recordOf({ name, connectionId, ...content }: SavedExport): SavedExportRecord {
  return { name, connectionId, content };
}

function read({ content, ...columns }: SavedExportRecord): SavedExport | null {
  return readContent(savedExport, "saved export", columns, content);
}

/** A figure that accompanies an exported file, without its path. */
export interface WantedFigure {
  readonly series: Pick<
    ExportRequest,
    "stationIds" | "variables" | "range" | "intervalSeconds" | "raw" | "resampled" | "zone"
  >;
  readonly format: VectorFormat;
  readonly template: string;
  /** For `{name}`. */
  readonly exportName: string;
}

/** The format of figures drawn without a window: the user's last choice, or PDF if that was a pixel format. */
export function vectorFormat({ format }: Pick<FigureSettings, "format">): VectorFormat {
  return format === "svg" ? "svg" : "pdf";
}

/** The figure of a saved export or a schedule, without its path. @returns a fault if no variable can be plotted */
export function figureRequest(
  { series, format }: Pick<WantedFigure, "series" | "format">,
  look: FigureSettings,
): Result<Omit<FigureRequest, "path">, AppFault> {
  const { stationIds, range, intervalSeconds, raw, resampled, zone } = series;
  const variables = series.variables.filter((variable) => isScalar(variable));
  if (variables.length === 0)
    return usageFailure("A figure shows variables with one value per epoch, such as ZTD, and none was chosen.");
  return success({ stationIds, variables, range, mode: { intervalSeconds, raw, resampled, zone }, format, look });
}

/** The file name by the template, with the ending of the figure. */
export function figureName(
  connection: OpenConnection,
  { series, format, ...naming }: WantedFigure,
): Result<string, AppFault> {
  const named = nameOf(connection, { ...series, format: "csv", heightReference: "WGS84_ELLIPSOID" }, naming);
  return named.ok ? success(withExtension(named.value, format)) : named;
}
