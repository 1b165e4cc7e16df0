import { isDeepStrictEqual } from 'node:util';
import type { Dose } from './dose-reading.js';
import type { KeptDosage, Remarks } from './prescription.js';
import type { TimingRead } from './timing-reading.js';

/** One Dosage as it was read. */
export interface DosageRead {
  readonly path: string;
  readonly sequence: number | undefined;
  readonly asNeeded: boolean;
  readonly timing: TimingRead | undefined;
  readonly dose: Dose | undefined;
  readonly remarks: Remarks;
  /** What all Dosages of a medicine have alike. */
  readonly shared: Pick<KeptDosage, 'route' | 'site' | 'method' | 'asNeededFor' | 'most'>;
}

/** Returns the amounts of a dose. */
export const amountsIn = (dose: Dose | undefined) => ({
  ...(dose?.amount && { amount: dose.amount }),
  ...(dose?.upTo && { upTo: dose.upTo }),
});

/** Returns whether two Dosages agree in what one reminder has once. */
export const isAlike = (one: DosageRead, other: DosageRead): boolean =>
  isDeepStrictEqual(one.shared, other.shared);
