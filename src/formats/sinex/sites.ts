import { siteCodes } from "../siteCode.ts";
import type { FileStation } from "../source.ts";

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
