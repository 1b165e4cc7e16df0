/**
 * By which reading of phrases this version understands medicines. A change that lets phrases that
 * were understood mean something else takes the next number, with a migration of the index
 * `reminder_reading`: the job `reading of phrases` then looks at what was stored before.
 */
export const READING = 8;

/** The first reading that kept ranges of amounts. Where one is missing since, somebody removed it. */
export const RANGED = 3;
