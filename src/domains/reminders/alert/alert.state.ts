/**
 * What became of an alert: the column `state` of `reminder_alert`.
 *
 * PLANNED becomes one of the others; CANCELLED becomes PLANNED again when an answer is taken back.
 * The transaction that settles an alert also queues its message, so no state lies between. An edit
 * takes back planned alerts alone: what is settled stays.
 */
export enum AlertState {
  /** It goes out when it is due. */
  PLANNED = 'planned',
  /** It went out in time. */
  SENT = 'sent',
  /** It went out more than a minute after it was due. */
  LATE = 'late',
  /**
   * It did not go out, since it was half an hour late; that of an appointment until this begins.
   */
  MISSED = 'missed',
  /** It was answered before it was due, put off, or there was nobody to tell. */
  CANCELLED = 'cancelled',
}
