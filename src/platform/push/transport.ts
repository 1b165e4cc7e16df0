/** What a token is for: an Expo push token, an FCM registration token, a Web Push subscription. */
export type TokenKind = 'expo' | 'fcm' | 'web';
export const TOKEN_KINDS: readonly TokenKind[] = ['expo', 'fcm', 'web'];

/**
 * How late a push is still worth sending, in milliseconds; the providers get what is left of it as
 * time to live.
 */
export const LATE_WINDOW = 30 * 60_000;

/**
 * How long one request to a provider may take, in milliseconds; shorter than the grace at shutdown.
 */
export const TIME_LIMIT = 8_000;

/** What a push says. */
export interface PushContent {
  readonly title: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One push to one device. */
export interface PushMessage extends PushContent {
  /**
   * The same at every repetition, and the provider's collapse key: 1 to 32 characters of URL-safe
   * base64.
   */
  readonly id: string;
  readonly token: string;
  /** Shown without a sound. Default: with one. */
  readonly silent?: boolean;
  /** Whole seconds that the provider may keep it. */
  readonly ttl: number;
}

/** What became of one message; `code` is the provider's own word for it. */
export type Outcome =
  | { readonly kind: 'delivered'; readonly code?: string }
  | { readonly kind: 'accepted'; readonly receipt: string }
  /**
   * `after`: milliseconds that the provider asked for; `pause`: it asked so for everything, not for
   * this message alone.
   */
  | {
      readonly kind: 'retry';
      readonly code: string;
      readonly after?: number;
      readonly pause?: boolean;
    }
  /** The token will never work again. */
  | { readonly kind: 'dead'; readonly code: string }
  /** This message will never be taken; the token is good. */
  | { readonly kind: 'refused'; readonly code: string };

/** A way to devices. It never throws: whatever goes wrong is an outcome of each message. */
export interface PushTransport {
  readonly name: string;
  /** Most messages that one `send` takes. */
  readonly batch: number;
  /** Most calls of `send` that may run at once. */
  readonly concurrency: number;
  /**
   * The host that a token's messages go to, where that is not the same for all: one that hangs does
   * not get all the calls.
   */
  hostOf?(token: string): string;
  /** Sends, within TIME_LIMIT; the outcomes in the order of the messages. */
  send(messages: readonly PushMessage[], options: { signal: AbortSignal }): Promise<Outcome[]>;
  /**
   * Deletes what is kept of messages to these tokens, whatever their kind; absent where nothing is
   * kept.
   */
  forget?(tokens: readonly string[]): Promise<void>;
  /**
   * What became of accepted messages, at most 300, by their receipts; absent while the provider
   * does not know it yet.
   */
  receipts?(
    ids: readonly string[],
    options: { signal: AbortSignal },
  ): Promise<Map<string, Outcome>>;
}

/** The transport of each kind of token. */
export type PushTransports = Readonly<Record<TokenKind, PushTransport>>;
