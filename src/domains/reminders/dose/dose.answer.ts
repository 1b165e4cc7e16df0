/** How a dose was answered: the column `answer` of `dose`. */
export enum DoseAnswer {
  TAKEN = 'taken',
  SKIPPED = 'skipped',
  REFUSED = 'refused',
  UNNEEDED = 'unneeded',
}

/** Why a dose is left out, and the answer that it is logged as. */
export const SkipReason = {
  LEFT_OUT: DoseAnswer.SKIPPED,
  REFUSED: DoseAnswer.REFUSED,
  UNNEEDED: DoseAnswer.UNNEEDED,
} as const;
export type SkipReason = (typeof SkipReason)[keyof typeof SkipReason];
