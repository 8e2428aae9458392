import { describe, expect, it } from "vitest";
import { otherKind } from "#formats/open/content.ts";

describe("otherKind", () => {
  it.each([
    ["%=SNX 2.02 IGS 26:001:00000", "a.snx", "station coordinates"],
    ["<!DOCTYPE html><title>Login</title>", "a.nc", "web page"],
    ["\u001f\u009d\u0090", "a.tro.Z", "gzip -d"],
    ["BZh9", "a.nc.bz2", "bunzip2"],
    ['{"data":[]}', "a.json", "JSON"],
    ["PK\u0003\u0004\u0014\u0000[Content_Types].xml", "a.xlsx", "Excel"],
    ["ARROW1\u0000\u0000", "a.feather", "Parquet"],
    ["\u00ff\u00ff\u00ff\u00ff\u0088\u0002\u0000\u0000", "a.arrows", "Parquet"],
    ["MATLAB 5.0 MAT-file, Platform: GLNXA64", "a.mat", "writetable"],
    ['*GLOBAL*,Conventions,"NCCSV-1.2"', "a.csv", "csvp"],
    ["Conventions,G,BADC-CSV,1\n", "a.csv", "one line of names"],
    [`PK\u0003\u0004${"x".repeat(26)}mimetypeapplication/`, "a.ods", "Excel"],
    ["GRIB\u0000\u0000", "a.grb", "“cdo -f nc copy”"],
    [
      `${"     3.05".padEnd(20)}OBSERVATION DATA${" ".repeat(24)}RINEX VERSION / TYPE`,
      "a.26o",
      "RINEX file of observations",
    ],
    ["\u00ff\u00fet\u0000i\u0000", "a.txt", "UTF-8"],
    ["%PDF-1.7", "a.pdf", "PDF"],
    ["", "a.nc", "empty"],
    [`data/a.nc${"\0".repeat(248)}ustar  \0`, "a.tar", "tar -xf"],
    ["garbage", "a.NC", "not a NetCDF file"],
  ])("identifies a file that cannot be opened: %j", (head, name, word) => {
    expect(otherKind(Buffer.from(head, "latin1"), name)?.message).toContain(word);
  });

  it("returns null for text that may be a table", () => {
    expect(otherKind(Buffer.from("station_id,time,ztd_mm\n"), "a.csv")).toBeNull();
    expect(otherKind(Buffer.from("# a comment\nstation_id"), "a.txt")).toBeNull();
  });
});
