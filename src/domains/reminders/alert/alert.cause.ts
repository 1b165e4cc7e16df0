/** Why there is an alert: the column `cause` of `reminder_alert`. */
export enum AlertCause {
  /** The time of the occurrence has come; of an appointment the time of its reminder. */
  DUE = 'due',
  /** The member has not answered: `repetition` says the how many-th repetition it is, from 1. */
  REPEAT = 'repeat',
  /** The member has put the dose off to the time when the alert is due. */
  SNOOZE = 'snooze',
  /**
   * Carers are notified unless somebody answers. `repetition` is 0 for the first alert, and counts
   * up where the member gives each carer some time before the next one is told.
   */
  CARERS = 'carers',
}
