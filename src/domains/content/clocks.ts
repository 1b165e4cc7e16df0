import { clockTime } from '../../platform/zone.js';

/**
 * Local times of an imported row by their instants (ISO 8601), where they were not those of the zone. That of
 * its modification has `modified ` before its instant where its other date has the same instant and another
 * local time.
 */
export type Clocks = Readonly<Record<string, string>>;

/** A row that may be imported with clocks of its own. */
export interface Clocked {
  readonly clocks?: Clocks | null;
}

/** Returns the key of the local time of a modification whose instant the other date of its row has as well. */
export const modificationKey = (instant: string): string => `modified ${instant}`;

/** Returns what the clocks of the site showed at an instant: those of an imported row, if it has some. */
export const shownTime = ({ clocks }: Clocked, instant: Date, zone: string): string =>
  clocks?.[instant.toISOString()] ?? clockTime(instant, zone);

/** Returns the same of the instant at which a row was modified. */
export const shownModification = (row: Clocked, instant: Date, zone: string): string =>
  row.clocks?.[modificationKey(instant.toISOString())] ?? shownTime(row, instant, zone);
