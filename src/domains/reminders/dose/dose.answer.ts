/** How a dose was answered: the column `answer` of `dose`. */
export enum DoseAnswer {
  TAKEN = 'taken',
  SKIPPED = 'skipped',
}
