import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as XLSX from "xlsx";
import type { ChosenColumn } from "#shared/file/columns.ts";
import type { OpenOptions } from "#formats/open/index.ts";
import { shortestDecimal } from "#formats/open/meaning/values.ts";
import { runPython, scratchFolder } from "../tools.ts";
import { mustShow, shown } from "./support.ts";

// Tables as software and services of the field write them, rebuilt from their published descriptions: what they do not say
// is asked, and nothing is stated that they contradict.

const folder = scratchFolder();

async function read(content: string | Buffer, options: OpenOptions = {}): Promise<readonly string[] | string> {
  const found = await shown(join(folder, "site.txt"), content, options);
  return typeof found === "string" ? found : found.first;
}

const ROWS = "2026-03-01 00:05,2400.5\n2026-03-01 00:10,2401\n";

describe("a table of other software", () => {
  it("with a satellite in each row has its satellites, and no angles as stations", async () => {
    const text = `time,station,prn,el,STD (m)\n2026-03-01T00:00Z,KALL,G01,45,3.4\n2026-03-01T00:00Z,KALL,G02,30,4.8\n`;
    expect(await read(text)).toEqual([
      "KALL G01 el null 2026-03-01T00:00 45",
      "KALL G01 STD m 2026-03-01T00:00 3.4",
      "KALL G02 el null 2026-03-01T00:00 30",
      "KALL G02 STD m 2026-03-01T00:00 4.8",
    ]);
  });

  it("is recognized under the name of another format", async () => {
    const text = "time,ztd_mm\n2026-03-01 00:05,2400.5\n2026-03-01 00:10,2401\n";
    const found = await mustShow(join(folder, "site.nc"), text);
    expect(found.first).toEqual(["site ztd mm 2026-03-01T00:05 2400.5"]);
  });

  it.each<readonly [name: string, text: string, found: readonly string[]]>([
    [
      "blocks of stations, each with its name and the heading above it",
      ["KALL", "WTZR"]
        .map((site) => `${site}\ntime ztd_mm\n2026-03-01T00:05Z 2400.5\n2026-03-01T00:10Z 2401\n`)
        .join("\n"),
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "blocks of stations in a workbook that was saved as CSV",
      ["KALL", "WTZR"]
        .map((site) => `Station,${site},,\ntime,ztd_mm,pwv_mm,\n2026-03-01 00:05,2400.5,,\n2026-03-01 00:10,2401,,\n`)
        .join(",,,\n"),
      [
        "KALL ztd mm 2026-03-01T00:05 2400.5",
        "KALL pwv mm 2026-03-01T00:05 NaN",
        "WTZR ztd mm 2026-03-01T00:05 2400.5",
        "WTZR pwv mm 2026-03-01T00:05 NaN",
      ],
    ],
    [
      "blocks of quantities, which are no stations",
      ["ZTD", "PWV"].map((name) => `# ${name}\ntime,value\n2026-03-01 00:05,24\n2026-03-01 00:10,25\n`).join(""),
      ["ZTD value null 2026-03-01T00:05 24", "PWV value null 2026-03-01T00:05 24"],
    ],
    [
      "pandas, melted: quantities beside their values are no stations, also below the first rows",
      ["ztd,2400.5", "pwv,12.5", "gn,0.5"]
        .map((row, day) =>
          Array.from({ length: 50 }, (_, i) => `2026-03-0${day + 1} 00:${10 + (i % 50)},${row}\n`).join(""),
        )
        .reduce((text, block) => text + block, "time,variable,value\n"),
      ["site ztd mm 2026-03-01T00:10 2400.5", "site pwv mm 2026-03-02T00:10 12.5", "site gn null 2026-03-03T00:10 0.5"],
    ],
    [
      "a long table with quantities at different times, and the unit of each row",
      "station,time,parameter,value,unit\nKALL,2026-03-01 00:05,ZTD,2.4005,m\nKALL,2026-03-01 00:10,IWV,12.5,kg/m2\nKALL,2026-03-01 00:15,ZTD,2401.5,mm\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "KALL pwv mm 2026-03-01T00:10 12.5"],
    ],
    [
      "a long table with several numbers in a row",
      "station,time,parameter,value,sigma\nKALL,2026-03-01 00:05,ztd,2400.5,1.2\nKALL,2026-03-01 00:05,temp,15.5,0.1\n",
      [
        "KALL ztd mm 2026-03-01T00:05 2400.5",
        "KALL ztd_sigma mm 2026-03-01T00:05 1.2",
        "KALL temp value null 2026-03-01T00:05 15.5",
        "KALL temp sigma null 2026-03-01T00:05 0.1",
      ],
    ],
    [
      "units in rows that cannot be converted, beside letters that are no units",
      "time,temp,unit,ztd_mm,flag\n2026-03-01 00:05,15.5,degC,2400.5,m\n2026-03-01 00:10,288.5,K,2401.5,m\n",
      ["site temp degC 2026-03-01T00:05 15.5", "site ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "a first row without a time, whose words are no names",
      "time,station,remark,ztd_mm\n,KALL,new antenna,\n2026-03-01 00:05,KALL,ok,2400.5\n2026-03-01 00:05,WTZR,ok,2200.5\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2200.5"],
    ],
    [
      "Dst, the index of storms, which is no summer time",
      "time,Dst,ztd_mm\n2026-03-01 00:00,-31,2400.5\n2026-03-01 01:00,-28,2401\n",
      ["site Dst null 2026-03-01T00:00 -31", "site ztd mm 2026-03-01T00:00 2400.5"],
    ],
    [
      "names in four lines, of which the last has units",
      "Date,Time,Zenith,Zenith\n,,Total,Wet\n,,Delay,Delay\n,(UTC),(m),(m)\n2026-03-01,00:05,2.4005,0.1005\n2026-03-01,00:10,2.401,0.101\n",
      ["site ztd mm 2026-03-01T00:05 2400.5", "site Zenith Wet Delay m 2026-03-01T00:05 0.1005"],
    ],
    [
      "a delay and a wet delay in units that are none of a total delay, and water vapour as a mass",
      "time,ztd (kg m-2),zwd (mm),tcwv (kg m**-2)\n2026-03-01 00:05,12,120,12.5\n2026-03-01 00:10,12,121,12.6\n",
      ["ztd kg m-2", "zwd mm", "pwv mm"].map(
        (quantity, i) => `site ${quantity} 2026-03-01T00:05 ${[12, 120, 12.5][i]}`,
      ),
    ],
    [
      "a column of flags, which are no stations",
      "time,ztd_mm,qc\n2026-03-01 00:05,2400.5,0\n2026-03-01 00:05,2401.5,1\n2026-03-01 00:10,2401,0\n2026-03-01 00:10,2402,1\n",
      ["qc 0 ztd mm 2026-03-01T00:05 2400.5", "qc 1 ztd mm 2026-03-01T00:05 2401.5"],
    ],
    [
      "names in two lines, of which the first says that it is another quantity",
      "Time,Difference,\n,PWV (mm),N\n2026-03-01 00:05,1.5,2\n2026-03-01 00:10,1.6,2\n",
      ["site Difference PWV mm 2026-03-01T00:05 1.5", "site Difference N null 2026-03-01T00:05 2"],
    ],
    [
      "stations beside each other, the unit at the first one",
      "time,ztd_KALL [m],ztd_WTZR\n2026-03-01 00:05,2.4005,2.2005\n2026-03-01 00:10,2.401,2.201\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2200.5"],
    ],
    [
      "dates that a spreadsheet read in part",
      "date,pwv_mm\n01.12.2026,12.5\n2026-12-02,12.6\n03.12.2026,12.7\n",
      ["site pwv mm 2026-12-01T00:00 12.5"],
    ],
    [
      "pandas, with two levels of columns",
      "variable,ztd,ztd\nstation,KALL,WTZR\ntime,,\n2026-03-01 00:00:00,2.4,2.3\n2026-03-01 00:05:00,2.5,2.2\n",
      ["KALL ztd mm 2026-03-01T00:00 2400", "WTZR ztd mm 2026-03-01T00:00 2300"],
    ],
    [
      "pandas, of aggregates",
      ",ztd_mm,ztd_mm\n,mean,std\ntime,,\n2026-03-01 00:00:00,2400.5,1\n2026-03-02 00:00:00,2401.5,2\n",
      ["site ztd mm 2026-03-01T00:00 2400.5", "site ztd std mm 2026-03-01T00:00 1"],
    ],
    [
      "columns of numbers without a name, but for those of the rows",
      ",time,,ztd_mm,\n7,2026-03-01 00:05,1,2400.5,\n9,2026-03-01 00:10,2,2401,\n",
      ["site Column 3 null 2026-03-01T00:05 1", "site ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "stations in a column without a name",
      "time,,ztd_mm\n2026-03-01 00:05,KALL,2400.5\n2026-03-01 00:05,WTZR,2300.5\n2026-03-01 00:10,KALL,2401\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2300.5"],
    ],
    [
      "R (write.table), with dates as texts",
      '"time" "site" "ztd_mm"\n"1" "2026-03-01 00:00:00" "KALL" 2400.5\n"2" "2026-03-01 00:05:00" "KALL" 2401\n',
      ["KALL ztd mm 2026-03-01T00:00 2400.5"],
    ],
    [
      "R (write.table), with moments",
      '"time" "site" "ztd_mm"\n"1" 2026-03-01 00:05:00 "KALL" 2400.5\n"2" 2026-03-01 00:10:00 "KALL" 2401\n',
      ["KALL ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "data loggers, whose record numbers are no quantity",
      '"TOA5","Kallio","CR1000","1","2","3","4","Met"\n"TIMESTAMP","RECORD","BP_Avg"\n"TS","RN","mbar"\n"","","Avg"\n"2026-03-01 00:05:00",1,987.1\n"2026-03-01 00:10:00",2,987.2\n',
      ["Kallio BP_Avg mbar 2026-03-01T00:05 987.1"],
    ],
    [
      "AERONET, whose heading tells the order of its dates",
      "AERONET Version 3;\nHelsinki\nDate(dd:mm:yyyy),Time(hh:mm:ss),Precipitable_Water(cm)\n01:03:2026,09:05:00,1.2\n02:03:2026,09:10:00,1.3\n",
      ["site pwv mm 2026-03-01T09:05 12"],
    ],
    [
      "buoys (NDBC), with the units in a second comment",
      "#YY  MM DD hh mm WDIR WSPD GST PRES\n#yr  mo dy hr mn degT m/s  m/s hPa\n2026 03 01 00 05 230 5.1 6.0 1013.1\n2026 03 01 00 10 230 5.2 6.0 1013.2\n",
      ["WDIR degT", "WSPD m/s", "GST m/s", "PRES hPa"].map(
        (quantity, i) => `site ${quantity} 2026-03-01T00:05 ${[230, 5.1, 6, 1_013.1][i]}`,
      ),
    ],
    [
      "Deutscher Wetterdienst, with dates of ten digits",
      "STATIONS_ID;MESS_DATUM;TT_TU;eor\n         44;2026030107;   3.5;eor\n         44;2026030108;   3.6;eor\n",
      ["44 TT_TU null 2026-03-01T07:00 3.5"],
    ],
    [
      "Deutscher Wetterdienst, with days",
      "STATIONS_ID;MESS_DATUM;TMK;eor\n         44;20260301;   3.5;eor\n         44;20260302;   3.6;eor\n",
      ["44 TMK null 2026-03-01T00:00 3.5"],
    ],
    [
      "psql",
      "          time          | site | ztd_mm \n------------------------+------+--------\n 2026-03-01 00:05:00+00 | KALL | 2400.5\n 2026-03-01 00:10:00+00 | KALL | 2401\n(2 rows)\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "Giovanni, with its fill value",
      "Title:,Total precipitable water\nFill Value (TQV):,1e+15\n\nDatetime,TQV\n2026-03-01 00:30:00,1e+15\n2026-03-01 01:30:00,8.1\n",
      ["site TQV null 2026-03-01T00:30 NaN"],
    ],
    [
      "goGPS, whose GPS weeks tell the scale of its dates",
      "Date;Time;GPS week;GPS tow;ZTD [m]\n2026/03/01;00:05:18;2408;318;2.4044\n2026/03/01;00:10:18;2408;618;2.4045\n",
      ["GPS week null", "GPS tow null", "ztd mm"].map(
        (quantity, i) => `site ${quantity} 2026-03-01T00:05 ${[2_408, 318, 2_404.4][i]}`,
      ),
    ],
    [
      "decimal hours",
      "date,utc_decimal_hour,ztd_mm\n2026-03-01,0.25,2400.5\n2026-03-01,0.5,2401\n",
      ["site ztd mm 2026-03-01T00:15 2400.5"],
    ],
    [
      "a Vaisala sounding, whose heights are a quantity",
      "Height (m),P (hPa),UTC time\n31,1003.2,2026-03-01T11:30:00Z\n36,1002.6,2026-03-01T11:30:01Z\n",
      ["site Height m 2026-03-01T11:30 31", "site P hPa 2026-03-01T11:30 1003.2"],
    ],
    [
      "French Excel, with its separator and blanks between thousands",
      "sep=;\nDate;Heure;ZTD (mm)\n01/03/2026;00:05;2 403,5\n31/03/2026;00:10;2\u202f403,6\n",
      ["site ztd mm 2026-03-01T00:05 2403.5"],
    ],
    [
      "InfluxDB, annotated",
      "#group,false,false,true,true,false,true,true\n#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,double,string,string\n#default,_result,,,,,,\n,result,table,_start,_time,_value,_field,station\n,,0,2026-03-01T00:00:00Z,2026-03-01T00:05:00Z,2403.5,ztd,KALL\n,,0,2026-03-01T00:00:00Z,2026-03-01T00:10:00Z,2403.7,ztd,KALL\n,,1,2026-03-01T00:00:00Z,2026-03-01T00:05:00Z,2203.5,ztd,WTZR\n,,1,2026-03-01T00:00:00Z,2026-03-01T00:10:00Z,2203.7,ztd,WTZR\n",
      ["KALL ztd mm 2026-03-01T00:05 2403.5", "WTZR ztd mm 2026-03-01T00:05 2203.5"],
    ],
    [
      "stations with one name and several codes",
      "name,id,time,ztd_mm\nHelsinki,1001,2026-03-01T00:05Z,2403.5\nHelsinki,1001,2026-03-01T00:10Z,2403.6\nHelsinki,1002,2026-03-02T00:05Z,2303.5\nHelsinki,1002,2026-03-02T00:10Z,2303.6\n",
      ["Helsinki (1001) ztd mm 2026-03-01T00:05 2403.5", "Helsinki (1002) ztd mm 2026-03-02T00:05 2303.5"],
    ],
    ...["-12600", "-210", "-3.5", "-0330"].map(
      (offset) =>
        [
          `the difference of local time from UTC: ${offset}`,
          `local_time,utc_offset,ztd_mm\n2026-03-01 02:05,${offset},2400.5\n2026-03-01 02:10,${offset},2401\n`,
          ["site ztd mm 2026-03-01T05:35 2400.5"],
        ] as const,
    ),
    [
      "files one after the other, each with its station in a comment above",
      "# Station: KALL\ntime,ztd_mm\n2026-03-01 00:05,2400.5\n2026-03-01 00:10,2401\n# Station: WTZR\ntime,ztd_mm\n2026-03-01 00:05,2300.5\n2026-03-01 00:10,2301\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2300.5"],
    ],
    ...[
      ["the heading is a comment", "# Station: KALL\n# time ztd_mm\n", "# Station: WTZR\n# time ztd_mm\n"],
      ["a comment follows", "# Station: KALL\n# Receiver: A\ntime ztd_mm\n", "# end\n# Station: WTZR\n# Receiver: A\n"],
      ["they are lines of a title", "Station: KALL\ntime ztd_mm\n", "Station: WTZR\ntime ztd_mm\n"],
    ].map(
      ([how, first, second]) =>
        [
          `stations one below the other, where ${how}`,
          `${first}2026-03-01T00:05 2400.5\n2026-03-01T00:10 2401\n${second}2026-03-01T00:05 2300.5\n2026-03-01T00:10 2301\n`,
          ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2300.5"],
        ] as const,
    ),
    [
      "xarray, points of a grid in rows",
      "time,lat,lon,pwv_mm\n2026-03-01 00:05,60,24,12.5\n2026-03-01 00:05,60,25,13.5\n2026-03-01 00:10,60,24,12.6\n2026-03-01 00:10,60,25,13.6\n",
      ["site lat 60, lon 24 pwv mm 2026-03-01T00:05 12.5", "site lat 60, lon 25 pwv mm 2026-03-01T00:05 13.5"],
    ],
    [
      "seconds since 1970 as R writes them",
      "unix,pwv_mm\n1.7723235e+09,12.5\n1.7723238e+09,12.6\n",
      ["site pwv mm 2026-03-01T00:05 12.5"],
    ],
    [
      "a sentence on local time above",
      "# All times are local standard time (UTC-7)\ntime,ztd_mm\n2026-03-01 00:05,2400.5\n2026-03-01 00:10,2401\n",
      ["site ztd mm 2026-03-01T07:05 2400.5"],
    ],
    [
      "names and units in labelled comments",
      "# columns: time,station,ztd,sigma\n# units: UTC,-,m,mm\n2026-03-01 00:05,KALL,2.4005,1.5\n2026-03-01 00:10,KALL,2.401,1.5\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "KALL sigma mm 2026-03-01T00:05 1.5"],
    ],
    [
      "Fortran, with exponents after a D",
      "MJD ZTD(m)\n61100.25 0.24005D+01\n61100.5 0.2401D+01\n",
      ["site ztd mm 2026-03-01T06:00 2400.5"],
    ],
    [
      "starts and ends of means",
      "start,end,pwv_mm\n2026-03-01T00:00Z,2026-03-01T01:00Z,12.5\n2026-03-01T01:00Z,2026-03-01T02:00Z,12.6\n",
      ["site pwv mm 2026-03-01T00:00 12.5"],
    ],
    ...["Date,Observatory", "Date,Source"].map(
      (last) =>
        [
          `a heading that nothing follows: ${last}`,
          `Date,pwv_mm\n2026-03-01,12.5\n2026-03-02,12.6\n${last}\n`,
          ["site pwv mm 2026-03-01T00:00 12.5"],
        ] as const,
    ),
    [
      "sentences between the rows",
      "mjd ztd_mm\n61100.25 2400.5\nPower failure\nTime synchronised with GPS\n61100.5 2401\n",
      ["site ztd mm 2026-03-01T06:00 2400.5"],
    ],
    [
      "a message between the rows of one time",
      "time,station,ztd_mm\n2026-03-01 00:05,KALL,2400.5\n2026-03-01 00:05,WTZR,2300.5\n2026-03-01 00:10,KALL,2401\nserver was down\n2026-03-01 00:10,WTZR,2301\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2300.5"],
    ],
    [
      "words in a row without a time",
      "time,station,ztd_mm\n2026-03-01 00:05,KALL,2400.5\nunknown,KALL,broken\n2026-03-01 00:10,KALL,2401\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "Netatmo, in the zone of its heading",
      'Timestamp;"Timezone : Europe/Helsinki";Pressure\n1772323500;"2026/03/01 02:05:00";1003.2\n1772323800;"2026/03/01 02:10:00";1003.1\n',
      ["site Timestamp null 2026-03-01T00:05 1772323500", "site Pressure null 2026-03-01T00:05 1003.2"],
    ],
    [
      "SMHI, below descriptions of station, quantity and position with its period",
      "Stationsnamn;Stationsnummer;Stationsnät\nGävle A;107420;SMHI\n\nPeriod (fr.o.m);Period (t.o.m);Höjd\n1995-08-01 00:00:00;2026-03-01 23:59:59;16.0\n\nDatum;Tid (UTC);Lufttryck;Kvalitet\n2026-03-01;00:00:00;1008.0;G\n2026-03-01;01:00:00;1008.1;G\n2026-03-01;02:00:00;1008.2;G\n2026-03-01;03:00:00;1008.3;G\n2026-03-01;04:00:00;1008.4;G\n",
      ["site Lufttryck null 2026-03-01T00:00 1008"],
    ],
    [
      "MET Norway: each quantity in its unit, also below the first rows",
      `sourceId,referenceTime,elementId,value,unit\n${["air_pressure,1008.1,hPa", "air_temperature,8.2,degC"]
        .flatMap((row) =>
          Array.from({ length: 45 }, (_, i) => `SN18700:0,2026-03-01T00:${String(i).padStart(2, "0")}:00Z,${row}\n`),
        )
        .join("")}`,
      ["site air_pressure hPa 2026-03-01T00:00 1008.1", "site air_temperature degC 2026-03-01T00:00 8.2"],
    ],
    [
      "Grafana, with units behind numbers",
      'Time;p KALL;rh\n01.03.2026 00:05:00;"1008,0 hPa";91%\n01.03.2026 00:10:00;"1008,1 hPa";92%\n',
      ["site p KALL hPa 2026-03-01T00:05 1008", "site rh % 2026-03-01T00:05 91"],
    ],
    [
      "gnuplot: blocks with their title above the heading in comments",
      ["KALL00FIN", "ZUGS00DEU"]
        .map((site) => `# ${site}\n# time ztd_mm\n2026-03-01T00:05 2400.5\n2026-03-01T00:10 2401\n`)
        .join("\n\n"),
      ["KALL00FIN ztd mm 2026-03-01T00:05 2400.5", "ZUGS00DEU ztd mm 2026-03-01T00:05 2400.5"],
    ],
    [
      "seconds since 1970 beside the difference of a zone",
      "dt,timezone,pressure\n1772323500,10800,1008\n1772323800,10800,1009\n",
      ["site pressure null 2026-03-01T00:05 1008"],
    ],
    [
      "names of stations and dates in other languages",
      "Kod stacji,Rok,Miesiąc,Dzień,Godzina,ztd_mm\n12600,2026,3,1,6,2400.5\n12600,2026,3,1,7,2401\n",
      ["12600 ztd mm 2026-03-01T06:00 2400.5"],
    ],
    [
      "stations in titles of groups, behind the word for one",
      "time,Station KALL ZTD (mm),Station WTZR ZTD (mm)\n2026-03-01 00:05,2400.5,2330.1\n2026-03-01 00:10,2401,2331\n",
      ["KALL ztd mm 2026-03-01T00:05 2400.5", "WTZR ztd mm 2026-03-01T00:05 2330.1"],
    ],
    [
      "a named zone behind each time",
      "time,ztd_mm\n2026-03-01 00:05:00 Europe/Helsinki,2400.5\n2026-03-01 00:10:00 Europe/Helsinki,2401\n",
      ["site ztd mm 2026-02-28T22:05 2400.5"],
    ],
    [
      "LI-COR: milliseconds behind a colon",
      "DATE\tTIME\tP (kPa)\n2026-03-01\t00:05:00:500\t100.8\n2026-03-01\t00:10:00:500\t100.9\n",
      ["site P kPa 2026-03-01T00:05 100.8"],
    ],
  ])("is read as it means: %s", async (_, text, found) => {
    expect(await read(text)).toEqual(found);
  });

  it.each<readonly [name: string, text: string]>([
    ["names in two lines, of which the first says nothing", `Time,Value\n,ZTD (mm)\n${ROWS}`],
    [
      "names of months in other languages, of which marraskuu is none in March",
      "time;ztd_mm\n1 März 2026 00:05;2400.5\n1. juin 2026 00:05;2401\n1 marraskuu 2026 00:05;2402\n",
    ],
    ["seconds since midnight", "date,seconds since midnight,ztd_mm\n2026-03-01,300,2400.5\n2026-03-01,600,2401\n"],
    [
      "rows without a time whose texts are words of times",
      "time,light,ztd_mm\n2026-03-01 00:05,night,2400.5\nNA,day,NA\n2026-03-01 12:05,day,2401\n",
    ],
    [
      "a column in UTC beside local time",
      "local_time,utc_time,ztd_mm\n2026-03-01 02:05,2026-03-01 00:05,2400.5\n2026-03-01 02:10,2026-03-01 00:10,2401\n",
    ],
    [
      "clocks in UTC beside local ones, and dates in UTC",
      "utc_date,local_time,utc_time,ztd_mm\n2026-03-01,02:05,00:05,2400.5\n2026-03-01,02:10,00:10,2401\n",
    ],
    [
      "a column with the difference from UTC",
      "time,utc_offset,ztd_mm\n2026-03-01 02:05,+02:00,2400.5\n2026-03-01 02:10,+02:00,2401\n",
    ],
    [
      "a sentence on GPS time above, which names GPS for another thing, too",
      "# GPS time series of zenith delays\n# Epochs refer to GPST.\nepoch,ztd_mm\n2026-03-01 00:05:18,2400.5\n2026-03-01 00:10:18,2401\n",
    ],
    [
      "Excel, with line breaks in its heading",
      '"time\n(UTC)","ZTD\n[m]"\n2026-03-01 00:05,2.4005\n2026-03-01 00:10,2.401\n',
    ],
    [
      "thousands with commas before decimals with points",
      'time,ztd_mm\n2026-03-01 00:05,"2,400.5"\n2026-03-01 00:10,"2,401.0"\n',
    ],
    ["compact ISO 8601 under a short name", "t;ztd_mm\n20260301T000500Z;2400,5\n20260301T001000Z;2401,0\n"],
    ["words below the rows", "time,ztd_mm\n2026-03-01 00:05,2400.5\n2026-03-01 00:10,2401\nSource,Observatory\n"],
    [
      "files one after the other, each with its units below its heading",
      "time,ztd\nUTC,mm\n2026-03-01 00:05,2400.5\ntime,ztd\nUTC,mm\n2026-03-01 00:10,2401\n",
    ],
    [
      "a column of zones",
      "time,tz,ztd_mm\n2026-03-01 02:05,Europe/Helsinki,2400.5\n2026-03-01 02:10,Europe/Helsinki,2401\n",
    ],
    [
      "words in the place of dates, as of means",
      "Zeit;ZTD [mm]\nmin;2400,5\n01.03.2026 00:05;2400,5\n01.03.2026 00:10;2401,0\nMittelwert;2400,7\n",
    ],
  ])("has its delays at their times: %s", async (_, text) => {
    expect(await read(text)).toEqual(["site ztd mm 2026-03-01T00:05 2400.5"]);
  });

  it.each<readonly [name: string, text: string | Buffer, message: RegExp]>([
    ["days of Excel", "time,ztd_mm\n46082.0035,2400.5\n46082.007,2401\n", /^undecided: The numbers in “time”.* Excel/],
    [
      "Grafana, with several units",
      "Time,ZTD\n2026-03-01 00:05,2.405 m\n2026-03-01 00:10,980 mm\n",
      /^unreadable: .*“2.405 m”.*plain numbers/,
    ],
    [
      "Grafana, with thousands",
      "Time,ZTD\n2026-03-01 00:05,2.41 K\n2026-03-01 00:10,2.42 K\n",
      /^unreadable: .*“2.41 K”.*plain numbers/,
    ],
    [
      "what Polars prints of a long table",
      "│ time │ ztd_mm │\n│ 2026-03-01 00:05 │ 2400.5 │\n│ … │ … │\n│ 2026-03-02 00:05 │ 2401 │\n",
      /^unreadable: .*excerpt/,
    ],
    [
      "an equation for UTC",
      "# UTC = t - 9h\ntime,ztd_mm\n2026-03-01 00:05,2400.5\n2026-03-01 00:10,2401\n",
      /^undecided: .*UTC = t - 9h/,
    ],
    [
      "a sounding, in which no column can be a time",
      "PRES HGHT TEMP RELH\n1000 110 8.1 80\n950 560 5.2 82\n900 1010 2.1 79\n",
      /^(foreign|unreadable): .*names a column of time/,
    ],
    ["dates in columns without names", "2026 03 01 00 2400.5\n2026 03 01 01 2401.5\n", /^undecided: .*column of time/],
    [
      "columns of hours",
      `date,${Array.from({ length: 12 }, (_, hour) => hour).join()}\n${["01", "02"].map((day) => `2026-03-${day},${"9.5,".repeat(12).slice(0, -1)}\n`).join("")}`,
      /^undecided: .*one row for each.* 0=number/,
    ],
    [
      "the zone of Open-Meteo",
      "latitude,longitude,timezone,timezone_abbreviation\n60.1,24.9,Europe/Helsinki,EET\n\ntime,pressure (hPa)\n2026-03-01T00:00,1001\n2026-03-01T01:00,1002\n",
      /^undecided: .* in EET by a comment and Europe\/Helsinki by a comment\. time=time:UTC\+2 time=time:Europe\/Helsinki/,
    ],
    [
      "the local time of NASA POWER",
      "-BEGIN HEADER-\nDates (month/day/year): 03/01/2026 through 03/02/2026 in LST\n-END HEADER-\nYEAR,MO,DY,HR,PS\n2026,3,1,0,100.1\n2026,3,1,1,100.2\n",
      /^undecided: .*zone “LST”/,
    ],
    [
      "Central European Time in German",
      "Datum;Uhrzeit (MEZ);ZTD [mm]\n20.03.2026;00:05;2400,5\n20.03.2026;00:10;2401\n",
      /^undecided: .*zone “MEZ”/,
    ],
    [
      "the order of the dates of Davis, below a heading of two lines",
      "\t\tTemp\tBar\nDate\tTime\tOut\tPress\n01.03.26\t00:10\t3.2\t1003.2\n31.03.26\t00:20\t3.1\t1003.1\n",
      /^undecided: The dates in “Date”, such as “01.03.26”/,
    ],
    [
      "seconds since 1980, which are not offered as those since 1970",
      "gps_seconds,station,ztd_mm\n1456358718,KALL,2403.5\n1456359018,KALL,2403.6\n",
      /^undecided: (?!.*1970)/,
    ],
    [
      "InfluxDB, with tables of several columns",
      "#datatype,string,dateTime:RFC3339,string\n,result,_time,station,_value\n,,2026-03-01T00:05:00Z,KALL,2403.5\n\n#datatype,string,dateTime:RFC3339,string\n,result,_time,_value,station\n,,2026-03-01T00:05:00Z,12.5,KALL\n",
      /^unreadable: Another table with other columns/,
    ],
    [
      "concatenated tables",
      "time,station,ztd_mm\n2026-03-01 00:05,KALL,2403.5\ntime,station,pwv_mm\n2026-03-01 00:05,KALL,12.5\n",
      /^unreadable: Another table with other columns/,
    ],
    ...["date,pwv", "messzeit,feuchte", "Logger restarted,power failure"].map(
      (heading) =>
        [
          `a table below another one: ${heading}`,
          `time,ztd_mm\n2026-03-01 00:05,2403.5\n\n${heading}\n2026-03-01 00:10,12.5\n`,
          /^unreadable: Another table with other columns .* below “.*”\. .* if it is a message/,
        ] as const,
    ),
    [
      "a clock of an unknown name beside dates",
      "date,messung,ztd_mm\n2026-03-01,06:30,2400.5\n2026-03-02,06:30,2401\n",
      /^undecided: The dates of this table have no time of day, which “messung” may tell, such as “06:30”\./,
    ],
    [
      "dates beside two clocks that are of two days",
      "date,local_time,utc_time,ztd_mm\n2026-03-01,01:50,23:50,2400.5\n2026-03-02,01:50,23:50,2401\n",
      /^undecided: The times in “date” are in .* by its name and .* by “local_time”/,
    ],
    [
      "a difference from UTC that cannot be read",
      "local_time,utc_offset,ztd_mm\n2026-03-01 02:05,7,2400.5\n2026-03-01 02:10,7.1,2401\n",
      /^undecided: The times in “local_time” are in/,
    ],
    [
      "seconds since 1970 that Excel has rounded",
      "unix,pwv_mm\n1.767E+09,12.5\n1.767E+09,12.6\n",
      /cannot be read, such as “1\.767E\+09”/,
    ],
    [
      "two columns of moments, none of which is named so",
      "created_at,obs_at,pwv_mm\n2026-03-02T00:00Z,2026-03-01T00:00Z,12.5\n2026-03-02T00:01Z,2026-03-01T01:00Z,12.6\n",
      /^undecided: .*“created_at”, “obs_at” may tell\./,
    ],
    [
      "tables side by side",
      "time,ztd_mm,time,pwv_mm\n2026-03-01 00:05,2403.5,2026-03-02 00:05,12.3\n2026-03-01 00:10,2403.6,2026-03-02 00:10,12.4\n",
      /^undecided: “time” tells other times than “time”/,
    ],
    [
      "tables side by side, of the same times and quantities",
      "time,ztd_mm,time,ztd_mm\n2026-03-01 00:05,2403.5,2026-03-01 00:05,1720.3\n2026-03-01 00:10,2403.6,2026-03-01 00:10,1720.4\n",
      /^undecided: “time” stands before columns with the names of others/,
    ],
    [
      "JSON in a table",
      'time,payload\n2026-03-01T00:05:00Z,"{""ztd"": 2403.5}"\n',
      /^unreadable: .*a column of its own/,
    ],
    ["GIPSY", "  325814700.0000  0.0E+00  2.3123E+00  1.0E-03 TRPTOTALGO\n", /^foreign: .*GIPSY.*CSV/],
    [
      "seconds since J2000",
      "# GPS seconds past J2000, site, wet delay (m)\n825595800 KALL 0.2123\n825596100 KALL 0.2124\n",
      /^foreign: .*2000-01-01.*CSV/,
    ],
    ["TOB1", Buffer.from('"TOB1","Kallio","CR1000","1"\n"SECONDS","RECORD"\n\0\u0001', "latin1"), /^foreign: .*TOA5/],
    ["IGRA", "#USM00070261 2026 03 01 00 2330   31 ncdc-gts ncdc-gts 648161 -1478767\n", /^foreign: .*IGRA.*CSV/],
    ["GipsyX", "  825595800.0000  2.1E-01 2.12E-01 1.2e-03 .Station.KALL.Trop.WetZ\n", /^foreign: .*GipsyX.*CSV/],
    [
      "the Bernese software",
      ` Zenith delays\n${"-".repeat(80)}\n MODEL : 1\n\n STATION NAME     FLG   YYYY MM DD HH MM SS   MOD_U\n`,
      /^foreign: .*Bernese.*SINEX_TRO/,
    ],
  ])("is asked for, or refused with a way to go: %s", async (_, text, message) => {
    expect(await read(text)).toMatch(message);
  });
});

it.each<readonly [answer: ChosenColumn, time: string]>([
  [{ column: "messung", role: "clock", unit: null }, "2026-03-01T06:30"],
  [{ column: "messung", role: "none", unit: null }, "2026-03-01T00:00"],
])("a clock of an unknown name is what the user says: %j", async (answer, time) => {
  const text = "date,messung,ztd_mm\n2026-03-01,06:30,2400.5\n2026-03-02,06:30,2401\n";
  expect(await read(text, { columns: { columns: [answer], noValue: null } })).toEqual([`site ztd mm ${time} 2400.5`]);
});

it("a difference from UTC that changes behind the first rows is that of each row", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `2026-03-01 ${i < 50 ? "02" : "04"}:${i < 50 ? 10 + i : `0${i - 50}`},${i < 50 ? 2 : 3},${i}`,
  );
  const found = await mustShow(join(folder, "summer.csv"), `time,utc_offset_hours,count\n${rows.join("\n")}\n`);
  expect([found.labels, new Set(found.times.map((ms) => new Date(ms).getUTCHours()))]).toEqual([
    ["summer"],
    new Set([0, 1]),
  ]);
  expect(found.notes[0]).toContain(
    "the zones of their rows, such as UTC+2, with + in “utc_offset_hours” taken as ahead of UTC",
  );
});

function swapped(name: string): string {
  return name === "sheet1.xml" ? "sheet2.xml" : "sheet1.xml";
}

it.each([
  ["a workbook", false],
  ["a workbook whose sheets are stored in another order", true],
])(
  "merged cells of %s, as pandas writes an index of two levels, count for each of their rows",
  async (_, isSwapped) => {
    const times = [0, 1, 2].map((minute) => `2026-03-01T00:0${minute}:00Z`);
    const sheet = XLSX.utils.aoa_to_sheet([
      ["station", "time", "ztd_mm"],
      ...["KALL", "WTZR"].flatMap((site, i) =>
        times.map((time, n) => [n === 0 ? site : null, time, 2_400 + 10 * i + n]),
      ),
    ]);
    sheet["!merges"] = [1, 4].map((r) => ({ s: { r, c: 0 }, e: { r: r + 2, c: 0 } }));
    const book = XLSX.utils.book_new();
    XLSX.utils.book_append_sheet(book, sheet);
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet([["a note"]]));
    const parts = XLSX.CFB.read(XLSX.write(book, { type: "buffer", compression: true }) as Buffer, { type: "buffer" });
    if (isSwapped)
      for (const [i, path] of parts.FullPaths.entries()) parts.FullPaths[i] = path.replace(/sheet[12]\.xml$/, swapped);
    const relations = XLSX.CFB.find(parts, "/xl/_rels/workbook.xml.rels")!;
    if (isSwapped) relations.content = Buffer.from(String(relations.content).replaceAll(/sheet[12]\.xml/g, swapped));
    expect(await read(XLSX.CFB.write(parts, { type: "buffer", fileType: "zip" }) as Buffer)).toEqual([
      "KALL ztd mm 2026-03-01T00:00 2400",
      "WTZR ztd mm 2026-03-01T00:00 2410",
    ]);
  },
);

it("merged cells of a heading name the columns below them, and no others", async () => {
  const sheet = XLSX.utils.aoa_to_sheet([
    [null, "Wind"],
    ["time", "Speed", "Dir", "Pressure"],
    ["2026-03-01T00:00:00Z", 3, 180, 1000],
    ["2026-03-01T00:05:00Z", 4, 190, 1001],
  ]);
  sheet["!merges"] = [{ s: { r: 0, c: 1 }, e: { r: 0, c: 2 } }];
  const book = XLSX.utils.book_new();
  XLSX.utils.book_append_sheet(book, sheet);
  const names = ["Wind Speed", "Wind Dir", "Pressure"];
  expect(await read(XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer)).toEqual(
    names.map((name, i) => `site ${name} null 2026-03-01T00:00 ${[3, 180, 1000][i]}`),
  );
});

it.each([
  ["Wind,,Air,,", "Speed,Dir,Temp,Dir,Bar", ["Wind Speed", "Wind Dir", "Air Temp", "Air Dir", "Bar"]],
  ["KALL00FIN,,ZUGS00DEU,,", "n,o,n,o,kp", ["KALL00FIN n", "KALL00FIN o", "ZUGS00DEU n", "ZUGS00DEU o", "kp"]],
  ["Difference,,Rain,,", "ztd,pwv,rate,sum,bar", ["Difference ztd", "Difference pwv", "Rain rate", "sum", "bar"]],
])("a word of a heading is of the columns that need it: %s", async (upper, lower, names) => {
  const text = `,${upper}\ntime,${lower}\n2026-03-01T00:00:00Z,1,2,3,4,5\n2026-03-01T00:05:00Z,2,3,4,5,6\n`;
  expect(await read(text)).toEqual(names.map((name, i) => `site ${name} null 2026-03-01T00:00 ${i + 1}`));
});

it("columns of hours are asked about, and are no quantities", async () => {
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));
  const rows = [1, 2, 3].map((day) => `2026-03-0${day},${hours.map((hour) => 2_400 + Number(hour)).join()}`);
  const text = `date,${hours.join()}\n${rows.join("\n")}\n`;
  expect(await shown(join(folder, "hours.csv"), text)).toMatch(/^undecided: The columns “00” to “23” may be hours/);
});

/** A workbook, with dates as numbers of days. */
function workbook(sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Buffer {
  const book = XLSX.utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(rows as unknown[][]), name);
  return XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
}

it("the sheets of a workbook keep their names, whatever characters are in them", async () => {
  const names = ["Kallio's", 'Käl & "Öl"', "<Mast>"];
  const sheets = names.map(
    (name, i) =>
      [
        name,
        [
          ["time", "ztd_mm"],
          ["2026-03-01T00:00:00Z", 2_400 + i],
        ],
      ] as const,
  );
  const { labels } = await mustShow(join(folder, "names.xlsx"), workbook(Object.fromEntries(sheets)));
  expect(labels).toEqual(names);
});

const [DAY, CLOCK] = ["yyyy-mm-dd", "hh:mm:ss"].map((z) => (v: number) => ({ t: "n", v, z }));

it.each<readonly [name: string, sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>, found: unknown]>([
  [
    "a title, and a row of units",
    {
      "Tabelle 1": [
        ["Delays of Kallio"],
        [],
        ["Date", "ZTD"],
        ["UTC", "m"],
        [DAY!(46_082), 2.4005],
        [DAY!(46_083), 2.401],
      ],
    },
    ["site ztd mm 2026-03-01T00:00 2400.5"],
  ],
  [
    "merged cells above two columns each",
    {
      a: [
        ["time", "ZTD", null, "PWV"],
        [null, "value (mm)", "sigma (mm)", "value (mm)", "sigma (mm)"],
        [DAY!(46_082), 2400.5, 1.5, 12.5, 0.5],
        [DAY!(46_083), 2401, 1.5, 12.6, 0.5],
      ],
    },
    ["ztd", "ztd_sigma", "pwv", "PWV sigma"].map(
      (quantity, i) => `site ${quantity} mm 2026-03-01T00:00 ${[2400.5, 1.5, 12.5, 0.5][i]}`,
    ),
  ],
  ...(
    [
      ["Troposphere", 2400.5, "ztd"],
      ["Difference", -1.5, "Difference ZTD"],
      ["Maximum", 2400.5, "Maximum ZTD"],
    ] as const
  ).map(
    ([title, ztd, quantity]) =>
      [
        `the title “${title}” above a group of columns`,
        {
          a: [
            [null, title, null, "Weather"],
            ["time", "ZTD", "PWV", "p"],
            [null, "mm", "mm", "hPa"],
            [DAY!(46_082), ztd, 12.5, 1000],
            [DAY!(46_083), ztd, 12.6, 1001],
          ],
        },
        [`${quantity} mm`, `${quantity === "ztd" ? "pwv" : `${title} PWV`} mm`, "Weather p hPa"].map(
          (name, i) => `site ${name} 2026-03-01T00:00 ${[ztd, 12.5, 1000][i]}`,
        ),
      ] as const,
  ),
  [
    "two tables side by side, each below its station",
    {
      a: [
        ["KALL00FIN", null, null, "ZUGS00DEU"],
        ["date", "ztd_mm", null, "date", "ztd_mm"],
        [DAY!(46_082), 2400.5, null, DAY!(46_082), 1700.5],
        [DAY!(46_083), 2401, null, DAY!(46_083), 1701],
      ],
    },
    ["KALL00FIN ztd mm 2026-03-01T00:00 2400.5", "ZUGS00DEU ztd mm 2026-03-01T00:00 1700.5"],
  ],
  [
    "dates and times of day in cells of their own",
    {
      a: [
        ["date", "time", "ztd_mm"],
        [DAY!(46_082), CLOCK!(0.25), 2400.5],
        [DAY!(46_082), CLOCK!(0.5), 2401],
      ],
    },
    ["site ztd mm 2026-03-01T06:00 2400.5"],
  ],
  [
    "a sheet of notes, and one for each station",
    {
      README: [["Delays", "of two stations"]],
      KALL: [
        ["date", "ztd_mm"],
        [DAY!(46_082), 2400.5],
        [DAY!(46_083), 2401],
      ],
      WTZR: [
        ["date", "ztd_mm"],
        [DAY!(46_082), 2300.5],
        [DAY!(46_083), 2301],
      ],
    },
    ["KALL ztd mm 2026-03-01T00:00 2400.5", "WTZR ztd mm 2026-03-01T00:00 2300.5"],
  ],
  [
    "a sheet for each station, at different times",
    {
      Kallio: [
        ["date", "ztd_mm"],
        [DAY!(46_082), 2400.5],
      ],
      Zugspitze: [
        ["date", "ztd_mm"],
        [DAY!(46_083), 1700.5],
      ],
    },
    ["Kallio ztd mm 2026-03-01T00:00 2400.5", "Zugspitze ztd mm 2026-03-02T00:00 1700.5"],
  ],
  [
    "a sheet for each month",
    {
      "March 2026": [
        ["date", "ztd_mm"],
        [DAY!(46_082), 2400.5],
      ],
      "April 2026": [
        ["date", "ztd_mm"],
        [DAY!(46_113), 2401.5],
      ],
    },
    ["site ztd mm 2026-03-01T00:00 2400.5"],
  ],
  [
    "stations below one another",
    {
      Sheet1: [
        ["Station:", "KALL"],
        ["date", "ztd_mm"],
        [DAY!(46_082), 2400.5],
        ["Station:", "ZUGS"],
        ["date", "ztd_mm"],
        [DAY!(46_083), 1700.5],
      ],
    },
    ["KALL ztd mm 2026-03-01T00:00 2400.5", "ZUGS ztd mm 2026-03-02T00:00 1700.5"],
  ],
])("a workbook with %s", async (_, sheets, found) => {
  const { first, notes } = await mustShow(join(folder, "site.xlsx"), workbook(sheets));
  expect(first).toEqual(found);
  expect(notes.join().includes("Sheets without this table are not shown: “README”.")).toBe("README" in sheets);
});

it.each<readonly [times: string, time: unknown, formulas: number]>([
  ["days", DAY!(46_082), 2],
  ["formulas", { t: "n", f: "A1+1/24" }, 5],
])(
  "formulas of a workbook without values are counted where its file is described: times are %s",
  async (_, time, n) => {
    const rows = [
      ["time", "zhd_mm", "ztd_mm"],
      ...[2_300.5, 2_301.5].map((value) => [time, value, { t: "n", f: "B2+100" }]),
      [time, 2_302.5, { t: "str", f: 'IF(TRUE,"")', v: "" }],
    ];
    const found = await shown(join(folder, "formulas.xlsx"), workbook({ a: rows }));
    expect(typeof found === "string" ? found : found.notes.join(" ")).toContain(
      `This workbook has no values for ${n} formulas: open and save it in Excel or LibreOffice once.`,
    );
  },
);

it("dates of a workbook and of Parquet have no zone of their own: one that is named is asked", async (context) => {
  const book = {
    a: [
      ["Time", "ZTD"],
      ["(CET)", "m"],
      [DAY!(46_082), 2.4005],
      [DAY!(46_083), 2.401],
    ],
  };
  expect(await shown(join(folder, "zone.xlsx"), workbook(book))).toMatch(/^undecided: .* in the zone “CET”/);
  const above = {
    a: [
      ["Kallio", null, "Zeitzone: MEZ"],
      ["Zeit", "ZTD mm", "PWV mm"],
      [DAY!(46_082), 2400.5, 12],
    ],
  };
  expect(await shown(join(folder, "zone.xlsx"), workbook(above))).toMatch(/^undecided: .* in the zone “MEZ”/);
  const path = join(folder, "zone.parquet");
  runPython(
    context,
    ["pandas"],
    `
for zone in (None, "UTC"):
    times = pandas.to_datetime(["2026-03-01 00:00", "2026-03-01 00:05"]).tz_localize(zone)
    pandas.DataFrame({"time (CET)": times, "ztd_mm": [2400.5, 2401]}).to_parquet(${JSON.stringify(path)} + str(zone))
print("{}")`,
  );
  expect(await shown(`${path}None`, null)).toMatch(/^undecided: .* in the zone “CET”/);
  expect(await mustShow(`${path}UTC`, null)).toMatchObject({
    times: [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 1, 0, 5)],
  });
});

it("a heading below the rows again is no lost row", async () => {
  const rows = ["time,ztd_mm\n", "2026-03-01 00:05,2400.5\n", "time, ztd_mm\n", "2026-03-01 00:10,2401\n"];
  const { notes } = await mustShow(join(folder, "again.csv"), rows.join(""));
  expect(notes).toEqual([expect.stringContaining("A table")]);
  const cells = [
    ["time", "ztd_mm"],
    [DAY!(46_082), 2400],
    ["time", "ztd_mm"],
    [DAY!(46_083), 2401],
    ["times", "?"],
  ];
  const book = await mustShow(join(folder, "again.xlsx"), workbook({ a: cells }));
  expect(book.notes.filter((note) => note.startsWith("Lines"))).toEqual([
    "Lines without a time that can be read are left out: 1.",
  ]);
});

it("Parquet of pyarrow has dates beside times of day, numbers of single precision, and nested columns", async (context) => {
  const path = join(folder, "pyarrow.parquet");
  runPython(
    context,
    ["pyarrow", "pyarrow.parquet"],
    `
pa = pyarrow
table = pa.table({"date": pa.array([20513] * 2, pa.date32()), "time": pa.array([300_000_000, 600_000_000], pa.time64("us")),
  "more": [{"a": 1.5}, {"a": 2.5}], "ztd_mm": pa.array([2400.5, 2401.3], pa.float32())})
pyarrow.parquet.write_table(table, ${JSON.stringify(path)})
print("true")`,
  );
  const { first, values, notes } = await mustShow(path, null);
  expect([first, values]).toEqual([["pyarrow ztd mm 2026-03-01T00:05 2400.5"], [2400.5, 2401.3]]);
  expect(notes.join(" ")).toContain("Columns with several values in a row are not shown: “more”.");
});

it("a position is taken as its columns state it, and not from angles in radians, nor heights in feet or kilometres", async () => {
  for (const [heading, place, position] of [
    ["latitude (rad),longitude (rad),height", "1.05,0.43,57", null],
    ["latitude,longitude,elevation (ft)", "60.2,24.9,179", { latitudeDeg: 60.2, longitudeDeg: 24.9, heights: [] }],
    ["latitude (S),longitude (W)", "33.9,70.6", { latitudeDeg: -33.9, longitudeDeg: -70.6, heights: [] }],
    ["lat (dd.ddd),lon (dec. deg.)", "39.9,105.2", { latitudeDeg: 39.9, longitudeDeg: 105.2, heights: [] }],
    ["lat [deg N],lon [deg W]", "39.9,105.2", { latitudeDeg: 39.9, longitudeDeg: -105.2, heights: [] }],
    ["lat,lon,ellipsoidal_height (km)", "60.2,24.9,0.057", { latitudeDeg: 60.2, longitudeDeg: 24.9, heights: [] }],
  ] as const) {
    const row = `2026-03-01T00:00:00Z,KALL,${place},2400.5\n`;
    const found = await mustShow(join(folder, "place.csv"), `time,station,${heading},ztd_mm\n${row}${row}`);
    expect(found.position).toEqual(position);
  }
});

it.each<readonly [heading: string, places: readonly string[], position: unknown, note: RegExp]>([
  ["lat,lon", ["1.05,0.43", "0.9,-3.1"], null, /^$/],
  ["lat,lon", ["1.05,0.43", "1.1,3.2"], { latitudeDeg: 1.05, longitudeDeg: 0.43, heights: [] }, /^$/],
  ["lat_deg,lon_deg", ["1.05,0.43"], { latitudeDeg: 1.05, longitudeDeg: 0.43, heights: [] }, /^$/],
  ["lat,lon", ["60°10.5'N,24°57'E", "x,y"], null, /such as “60°10.5'N, 24°57'E”, are left out: 2\./],
  ["lat,lon", ["3954.12,11625.3"], null, /such as “3954.12, 11625.3”/],
  ["lat,lon", ["116.4,39.9"], null, /such as “116.4, 39.9”/],
  ["lat,lon", ["-999,-999", ",", "9999,9999"], null, /^$/],
])("a position is taken from decimal degrees alone: %s of %j", async (heading, places, position, note) => {
  const rows = places.map((place, i) => `2026-03-01T00:00:00Z,S${i},${place},2400.5\n`);
  const found = await mustShow(join(folder, "place.csv"), `time,station,${heading},ztd_mm\n${rows.join("")}`);
  expect(found.position).toEqual(position);
  expect(found.notes.filter((each) => each.startsWith("Positions")).join(" ")).toMatch(note);
});

it("numbers of single precision are shown as their shortest decimals", () => {
  expect([2_404.4, 0.1, -1013.25, 12].map((value) => shortestDecimal(Math.fround(value)))).toEqual([
    2_404.4, 0.1, -1013.25, 12,
  ]);
  fc.assert(
    fc.property(fc.float(), (value) => {
      expect(Math.fround(shortestDecimal(value))).toBe(value);
    }),
  );
});

it("24:00 in a cell of hours of a workbook is the end of the day", async () => {
  const day = new Date(Date.UTC(2026, 9, 1));
  const cells = [
    ["date", "time", "ztd_mm"],
    [day, { v: 23 / 24, t: "n", z: "[h]:mm" }, 2404],
    [day, { v: 1, t: "n", z: "[h]:mm" }, 2405],
  ];
  const { times } = await mustShow(join(folder, "hours.xlsx"), workbook({ a: cells }));
  expect(times).toEqual([Date.UTC(2026, 9, 1, 23), Date.UTC(2026, 9, 2)]);
});
