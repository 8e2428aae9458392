// Where things lie in the kernel's memory: bytes from the beginning of each structure. Read by both sides, so that
// plain constants are all there is. Addresses are whole numbers of 32 bits.

/** Rows of one station that are being gathered. */
export const BLOCK_ROWS = 0;
export const BLOCK_CAPACITY = 4;
/** Address of the times, one double each. */
export const BLOCK_TIMES = 8;
/** Address of the scalar columns, one after the other, each of `capacity` doubles. */
export const BLOCK_SCALARS = 12;
export const BLOCK_BYTES = 16;

/** The shape of a row: literals and, between them, values. */
export const TEMPLATE_BLOCK = 0;
/** The shapes that followed this one, latest first: where the next row is guessed from. Zero for none. */
export const TEMPLATE_NEXT = 4;
export const TEMPLATE_OTHER = 8;
/** How many scalar columns rows of this shape lack, and the address of their indices. */
export const TEMPLATE_LACKING = 12;
export const TEMPLATE_LACKING_AT = 16;
/** 1 where somebody has to look at each row, since texts came with it. */
export const TEMPLATE_HAS_TEXTS = 24;
export const TEMPLATE_STEPS = 32;

/** A literal and the value after it. */
export const STEP_LITERAL = 0;
/** Whole words of eight bytes, then the bytes that are left and the mask under which they are compared. */
export const STEP_WORDS = 4;
export const STEP_REST = 8;
export const STEP_KIND = 12;
/** Index of the value's column. */
export const STEP_COLUMN = 16;
export const STEP_MASK = 24;
export const STEP_BYTES = 32;

/** Kinds of values; LAST has none, but ends the row. */
export const TIME = 0;
export const SCALAR = 1;
export const TEXT = 2;
export const IGNORED = 3;
export const LAST = 4;

/** Why the kernel stopped: no guess fits at `at`; a row is whole and something else than a row follows; somebody has to look at the blocks. */
export const NO_GUESS = 0;
export const NO_MORE = 1;
export const HAND_ON = 2;

/** What the kernel tells when it stops. */
export const STATE_AT = 0;
/** The template of the last row. */
export const STATE_LAST = 4;
/** Rows since the counters were last set to zero. */
export const STATE_ROWS = 8;
/** Rows that wait in all blocks. */
export const STATE_WAITING = 12;
/** The texts of the last row: where each begins and how long it is, -1 for null. They fill the rest of the structure. */
export const STATE_TEXTS = 32;
export const MOST_TEXTS = 8;
export const STATE_BYTES = 96;

/** However many stations there are, this much waits in all blocks together at most. */
export const MOST_WAITING = 65536;
