import { createHash } from "node:crypto";
import type { FileStation } from "./source.ts";

const LETTERS = 26;
const CHARACTERS = 36;

/**
 * Returns a code of four capital letters and digits for each identifier of a station, for formats that name stations by
 * such codes. The service has none, so they are derived from the identifiers alone: the code of a station is the same in
 * every file. If two identifiers have the same one, the later in the list gets another.
 *
 * @param ids of all stations of a connection, those known longest first
 */
export function siteCodes(ids: Iterable<string>): Map<string, string> {
  const codes = new Map<string, string>();
  const taken = new Set<string>();
  for (const id of ids) {
    if (codes.has(id)) continue;
    let attempt = 0;
    let code = candidate(id, attempt);
    while (taken.has(code)) code = candidate(id, ++attempt);
    taken.add(code);
    codes.set(id, code);
  }
  return codes;
}

/** A letter and three letters or digits. */
function candidate(id: string, attempt: number): string {
  const digest = createHash("sha256")
    .update(attempt === 0 ? id : `${id} ${attempt}`)
    .digest();
  const number = digest.readUIntBE(0, 6);
  const letter = String.fromCodePoint(0x41 + (number % LETTERS));
  const rest = Math.floor(number / LETTERS) % CHARACTERS ** 3;
  return letter + rest.toString(CHARACTERS).toUpperCase().padStart(3, "0");
}

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

/** Returns the four-character code of each station: that of the connection, or else one that is unique among these. */
export function siteCodesOf(stations: readonly FileStation[]): string[] {
  const codes = siteCodes(stations.map((s) => s.id));
  return stations.map((s) => s.siteCode ?? codes.get(s.id) ?? "");
}

/** Returns the nine-character codes that SINEX_TRO requires: site, `00` for marker and receiver, country: `K3VN00FIN`. */
export function nineCharacterCodes(stations: readonly FileStation[]): string[] {
  const codes = siteCodesOf(stations);
  return stations.map((s, i) => `${codes[i]}00${threeLetterCountry(s.countryCode)}`);
}

/** Returns the heights above ellipsoid and geoid, in metres. */
export function heightsOf({ heights, height, heightReference }: FileStation): NonNullable<FileStation["heights"]> {
  if (heights) return heights;
  return heightReference === "EGM2008"
    ? { ellipsoidal: null, orthometric: height }
    : { ellipsoidal: height, orthometric: null };
}
