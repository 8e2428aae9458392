import { describe, expect, it } from "vitest";
import { otherKind } from "#formats/open/content.ts";

describe("otherKind", () => {
  it.each([
    ["%=SNX 2.02 IGS 26:001:00000", "station coordinates"],
    ["<!DOCTYPE html><title>Login</title>", "web page"],
    ["\u001f\u009d\u0090", "gzip -d"],
    ["BZh9", "bunzip2"],
    ['{"data":[]}', "JSON"],
    ["PK\u0003\u0004\u0014\u0000[Content_Types].xml", "Excel"],
    ["ARROW1\u0000\u0000", "Parquet"],
    ["\u00ff\u00ff\u00ff\u00ff\u0088\u0002\u0000\u0000", "Parquet"],
    ["MATLAB 5.0 MAT-file, Platform: GLNXA64", "writetable"],
    ['*GLOBAL*,Conventions,"NCCSV-1.2"', "csvp"],
    ["Conventions,G,BADC-CSV,1\n", "one line of names"],
    [`PK\u0003\u0004${"x".repeat(26)}mimetypeapplication/`, "Excel"],
    ["GRIB\u0000\u0000", "“cdo -f nc copy”"],
    [`${"     3.05".padEnd(20)}OBSERVATION DATA${" ".repeat(24)}RINEX VERSION / TYPE`, "RINEX file of observations"],
    ["\u00ff\u00fet\u0000i\u0000", "UTF-8"],
    ["%PDF-1.7", "PDF"],
    ["", "empty"],
    [`data/a.nc${"\0".repeat(248)}ustar  \0`, "tar -xf"],
  ])("identifies a file that cannot be opened: %j", (head, word) => {
    expect(otherKind(Buffer.from(head, "latin1"))?.message).toContain(word);
  });

  it("returns null for text that may be a table", () => {
    expect(otherKind(Buffer.from("station_id,time,ztd_mm\n"))).toBeNull();
    expect(otherKind(Buffer.from("# a comment\nstation_id"))).toBeNull();
  });
});
