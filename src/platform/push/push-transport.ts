/** Kind of token: an Expo push token, an FCM registration token, or a Web Push subscription. */
export type TokenKind = 'expo' | 'fcm' | 'web';
/** All kinds of token. */
export const TOKEN_KINDS: readonly TokenKind[] = ['expo', 'fcm', 'web'];
/** Kind of channel: a number for text messages, or a handle of a chat. */
export type ChannelKind = 'sms' | 'chat';
/** All kinds of channel. */
export const CHANNEL_KINDS: readonly ChannelKind[] = ['sms', 'chat'];
/** Returns whether a kind of recipient is one of channel. */
export const isChannelKind = (kind: RecipientKind): kind is ChannelKind =>
  (CHANNEL_KINDS as readonly string[]).includes(kind);
/** What a delivery goes to: a device by its token, or a channel by its address. */
export type RecipientKind = TokenKind | ChannelKind;
/** All kinds of recipient. */
export const RECIPIENT_KINDS: readonly RecipientKind[] = [...TOKEN_KINDS, ...CHANNEL_KINDS];

/**
 * How late a push may still be sent, in milliseconds. The providers get the rest of it as time to
 * live.
 */
export const LATE_WINDOW = 30 * 60_000;

/**
 * How long one request to a provider may take, in milliseconds. It is shorter than the grace period
 * at shutdown.
 */
export const TIME_LIMIT = 8_000;

/** The content of a push. */
export interface PushContent {
  readonly title: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One push to one device, or one text to one channel. */
export interface PushMessage extends PushContent {
  /**
   * The same at every repetition, and the provider's collapse key: 1 to 32 characters of URL-safe
   * base64.
   */
  readonly id: string;
  /** The token of a device; of a channel its encrypted address. */
  readonly token: string;
  /** True: shown without a sound. Default: with a sound. */
  readonly silent?: boolean;
  /** How long the provider may keep it, in whole seconds. */
  readonly ttl: number;
  /** What it is about, such as reminder. */
  readonly kind: string;
  readonly dueAt: Date;
  readonly expiresAt: Date;
}

/** The result of one message; `code` is the provider's own code. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly code?: string }
  | { readonly kind: 'accepted'; readonly receipt: string }
  /**
   * `after`: milliseconds that the provider asks to wait. `pause`: the wait applies to all
   * messages, not only to this one.
   */
  | {
      readonly kind: 'retry';
      readonly code: string;
      readonly after?: number;
      readonly pause?: boolean;
    }
  /** The token will never work again. */
  | { readonly kind: 'dead'; readonly code: string }
  /** This message will never be accepted; the token is valid. */
  | { readonly kind: 'refused'; readonly code: string }
  /**
   * It was not handed to the provider, which has no room for it and what is behind it: it is to be
   * tried again after so many milliseconds, and this was no attempt.
   */
  | { readonly kind: 'unsent'; readonly after: number }
  /** This process has no provider for the kind of recipient. */
  | { readonly kind: 'unserved' };

/** A way to send pushes. It never throws: every failure is an outcome of a message. */
export interface PushTransport {
  readonly name: string;
  /** Maximum number of messages in one call of `send`. */
  readonly batch: number;
  /** Maximum number of simultaneous calls of `send`. */
  readonly concurrency: number;
  /**
   * Returns the host that receives the messages of a token, without its port, where it differs
   * between tokens. It lets the worker limit the calls to a slow host.
   */
  hostOf?(token: string): string;
  /** Sends messages, within TIME_LIMIT. Returns their outcomes in the same order. */
  send(messages: readonly PushMessage[], options: { signal: AbortSignal }): Promise<Outcome[]>;
  /**
   * Deletes the stored messages to these tokens, of any kind. Absent for a transport that stores
   * none.
   */
  forget?(tokens: readonly string[]): Promise<void>;
  /**
   * Returns the outcomes of accepted messages by their receipts, at most 300 in a call. A receipt
   * that the provider does not know yet is missing from the result.
   */
  receipts?(
    ids: readonly string[],
    options: { signal: AbortSignal },
  ): Promise<Map<string, Outcome>>;
  /** Asks the provider for its state, without a push. Throws CheckFailed. Absent for an outbox. */
  check?(signal: AbortSignal): Promise<void>;
}

/** The transport of each kind of recipient. */
export type PushTransports = Readonly<Record<RecipientKind, PushTransport>>;
