const WORDS =
  /^(|nan|nat|na|n\/a|n\.a\.|null|nil|none|missing|nodata|no[ _]data|-|--|---|\.|\*+|1\.#(ind|qnan).*|#n\/?a|#value!|<na>|\\n)$/i;
/** Nines, as writers of fixed columns fill them: -9.9, -99, -999.99, 999.9, 9999. */
const NINES = /^(-9{1,6}(\.9{1,4})?|9{2,6}\.9{1,4}|9{4,6})$/;
/** -999 and more nines, in columns of which no plausible range is known. */
const CERTAIN_NINES = /^-9{3,}(\.9*)?$/;
/** ±7999 of data loggers (Campbell Scientific), and the ends of 16 and 32 bits. */
const LIMITS = new Set([
  7_999, -7_999, 32_767, -32_767, -32_768, 65_535, 2_147_483_647, -2_147_483_647, -2_147_483_648,
]);
/** 1e15 (MERRA-2), 1e20 (CMIP), 1e34 (Ferret), 9.96921e36 (netcdf-c), 1e38 and 9.9999997e37 (FSL), the largest single-precision number. */
const HUGE = [1e15, 1e20, 1e30, 1e34, 1e35, 1e36, 1e37, 1e38, 9.96921e36, 9.9999997e37, 1.7e38, 3.4028235e38];

export function isNoValueWord(field: string): boolean {
  return WORDS.test(field.trim());
}

/**
 * Whether a number means no value. Signs such as -9.9 and 9999 are values of some quantities: only outside of the
 * plausible range of its column are they no values.
 * @param isPlausible whether a value is in the plausible range of its column; null: unknown
 */
export function isNoValueNumber(value: number, isPlausible: ((value: number) => boolean) | null): boolean {
  if (Math.abs(value) > 9e14) return HUGE.some((sign) => Math.abs(Math.abs(value) / sign - 1) < 1e-6);
  if (isPlausible === null) return value <= -999 && CERTAIN_NINES.test(short(value));
  return (value < 0 || value > 99) && !isPlausible(value) && (LIMITS.has(value) || NINES.test(short(value)));
}

/** Six digits, which single precision has. */
export function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
