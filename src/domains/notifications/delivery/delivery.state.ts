/** What became of a message to a device: the column `state` of `delivery`. */
export enum DeliveryState {
  /** It is to be sent, or sent again. */
  PLANNED = 'planned',
  /** The provider took it, and has not said yet whether it arrived. */
  ACCEPTED = 'accepted',
  /** It was sent. */
  SENT = 'sent',
  /** The provider refused it. */
  FAILED = 'failed',
  /** The provider says that the device is gone. */
  DEAD = 'dead',
  /** It was too late to be sent. */
  MISSED = 'missed',
  /** The device must not get it, or it has nothing to tell any more. */
  CANCELLED = 'cancelled',
}
