import type { Result } from "#shared/service/error.ts";
import { appendRuns, commonStepMs, emptyRuns, runEndMs } from "#shared/time/runs.ts";
import { FormatFailure, type FormatError } from "../error.ts";
import {
  type FileStation,
  guarded,
  outOfOrder,
  Pace,
  type SeriesFileSource,
  timesOf,
  type WriteOptions,
  type WrittenFile,
} from "../source.ts";
import { type ByteSink, writeThroughSink } from "../sink.ts";
import { headText, type SolutionSpan, TAIL } from "./head.ts";
import { parametersOf } from "./parameters.ts";
import { writeRows } from "./rows.ts";
import { asciiText } from "./text.ts";

/** ISO 3166-1: alpha-2 code followed by the alpha-3 code. */
const CODES =
  "AFAFG AXALA ALALB DZDZA ASASM ADAND AOAGO AIAIA AQATA AGATG ARARG AMARM AWABW AUAUS ATAUT AZAZE BSBHS BHBHR BDBGD " +
  "BBBRB BYBLR BEBEL BZBLZ BJBEN BMBMU BTBTN BOBOL BQBES BABIH BWBWA BVBVT BRBRA IOIOT BNBRN BGBGR BFBFA BIBDI CVCPV " +
  "KHKHM CMCMR CACAN KYCYM CFCAF TDTCD CLCHL CNCHN CXCXR CCCCK COCOL KMCOM CGCOG CDCOD CKCOK CRCRI CICIV HRHRV CUCUB " +
  "CWCUW CYCYP CZCZE DKDNK DJDJI DMDMA DODOM ECECU EGEGY SVSLV GQGNQ ERERI EEEST SZSWZ ETETH FKFLK FOFRO FJFJI FIFIN " +
  "FRFRA GFGUF PFPYF TFATF GAGAB GMGMB GEGEO DEDEU GHGHA GIGIB GRGRC GLGRL GDGRD GPGLP GUGUM GTGTM GGGGY GNGIN GWGNB " +
  "GYGUY HTHTI HMHMD VAVAT HNHND HKHKG HUHUN ISISL ININD IDIDN IRIRN IQIRQ IEIRL IMIMN ILISR ITITA JMJAM JPJPN JEJEY " +
  "JOJOR KZKAZ KEKEN KIKIR KPPRK KRKOR KWKWT KGKGZ LALAO LVLVA LBLBN LSLSO LRLBR LYLBY LILIE LTLTU LULUX MOMAC MGMDG " +
  "MWMWI MYMYS MVMDV MLMLI MTMLT MHMHL MQMTQ MRMRT MUMUS YTMYT MXMEX FMFSM MDMDA MCMCO MNMNG MEMNE MSMSR MAMAR MZMOZ " +
  "MMMMR NANAM NRNRU NPNPL NLNLD NCNCL NZNZL NINIC NENER NGNGA NUNIU NFNFK MKMKD MPMNP NONOR OMOMN PKPAK PWPLW PSPSE " +
  "PAPAN PGPNG PYPRY PEPER PHPHL PNPCN PLPOL PTPRT PRPRI QAQAT REREU ROROU RURUS RWRWA BLBLM SHSHN KNKNA LCLCA MFMAF " +
  "PMSPM VCVCT WSWSM SMSMR STSTP SASAU SNSEN RSSRB SCSYC SLSLE SGSGP SXSXM SKSVK SISVN SBSLB SOSOM ZAZAF GSSGS SSSSD " +
  "ESESP LKLKA SDSDN SRSUR SJSJM SESWE CHCHE SYSYR TWTWN TJTJK TZTZA THTHA TLTLS TGTGO TKTKL TOTON TTTTO TNTUN TRTUR " +
  "TMTKM TCTCA TVTUV UGUGA UAUKR AEARE GBGBR USUSA UMUMI UYURY UZUZB VUVUT VEVEN VNVNM VGVGB VIVIR WFWLF EHESH YEYEM " +
  "ZMZMB ZWZWE";

const THREE_LETTERS = new Map(CODES.split(" ").map((pair) => [pair.slice(0, 2), pair.slice(2)]));

/** Converts an alpha-2 country code to alpha-3; XXX if unknown. */
function threeLetterCountry(twoLetters: string): string {
  return THREE_LETTERS.get(twoLetters.trim().toUpperCase()) ?? "XXX";
}

/**
 * Returns the nine-character code of each station that the format requires: four characters of its name, two digits, three
 * letters of its country: `KALL00FIN`. The service has no such codes, so they are generated: unique within a file,
 * deterministic for a list of stations, and not those of the IGS. The file documents the station of each code.
 */
export function stationCodes(stations: readonly FileStation[]): string[] {
  const taken = new Set<string>();
  const tries = new Map<string, number>();
  return stations.map((station) => {
    const letters = asciiText(station.displayName || station.id)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, "");
    const name = letters.slice(0, 4).padEnd(4, "X");
    const country = threeLetterCountry(station.countryCode);
    const group = name + country;
    for (let attempt = tries.get(group) ?? 0; ; attempt++) {
      const code = candidate(name, attempt) + country;
      if (taken.has(code)) continue;
      tries.set(group, attempt + 1);
      taken.add(code);
      return code;
    }
  });
}

/** Returns six characters: the name and two digits, or from the hundredth station of a name on, four base-36 digits. */
function candidate(name: string, attempt: number): string {
  if (attempt < 100) return name + String(attempt).padStart(2, "0");
  return name.slice(0, 2) + (attempt - 100).toString(36).toUpperCase().padStart(4, "0");
}

/**
 * Writes series as SINEX_TRO 2.00: ZTD as TROTOT and its formal uncertainty as STDDEV (mm), or PWV as IWV (kg m-2), with
 * three decimals; −999.000 for missing values. Epochs are whole seconds in UTC; the epoch of a mean is the middle of its
 * interval. Reads the source twice, first the times. Memory does not grow with the number of rows.
 *
 * Values that do not fit into their column, and times with fractions of a second, are errors.
 */
export async function writeSinexTro(
  path: string,
  source: SeriesFileSource,
  options: WriteOptions = {},
): Promise<Result<WrittenFile, FormatError>> {
  const write = async (sink: ByteSink, pace: Pace): Promise<void> => {
    const codes = stationCodes(source.stations);
    const parameters = parametersOf(source.variables);
    if (source.stations.length === 0) throw new FormatFailure("invalid", "A file needs at least one station.");
    const span = await spanOf(source, new Pace({ ...options, onProgress: () => {} }));
    await sink.write(Buffer.from(headText(source, codes, parameters, span), "latin1"));
    await writeRows(sink, source, { codes, parameters, offsetMs: epochOffsetMs(source) }, pace);
    await sink.write(Buffer.from(TAIL, "latin1"));
  };
  return writeThroughSink(path, write, options);
}

/** Reads all times to determine their span and steps. */
async function spanOf(source: SeriesFileSource, pace: Pace): Promise<SolutionSpan> {
  const offsetMs = epochOffsetMs(source);
  const steps: (number | null)[] = [];
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let station = 0; station < source.stations.length; station++) {
    const own = emptyRuns();
    for (const times of guarded(() => timesOf(source, station))) {
      if (!appendRuns(own, times)) throw outOfOrder();
      await pace.step();
    }
    steps.push(commonStepMs(own));
    const [first, last] = [own.list[0], own.list.at(-1)];
    if (!first || !last) continue;
    firstMs = Math.min(firstMs, first.startMs + offsetMs);
    lastMs = Math.max(lastMs, runEndMs(last) + offsetMs);
  }
  if (firstMs > lastMs) [firstMs, lastMs] = [source.range.startMs, source.range.endMs];
  const known = steps.filter((step) => step !== null);
  return { firstMs, lastMs, stepMs: known.length === 0 ? null : Math.min(...known), steps };
}

/** Returns the offset from the start of an interval to its middle, in whole seconds: the epoch of a mean in this format. */
function epochOffsetMs({ intervalSeconds }: SeriesFileSource): number {
  return 1000 * Math.floor((intervalSeconds ?? 0) / 2);
}
