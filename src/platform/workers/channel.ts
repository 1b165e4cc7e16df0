/** One end of the channel between the first process and a worker. */
export interface ChannelEnd {
  send(
    message: object,
    handle: undefined,
    options: undefined,
    sent: (error: Error | null) => void,
  ): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** What an end responds with: a function for each kind of request. */
export type Responders = Readonly<Record<string, (argument: never) => unknown>>;

/** Milliseconds after which a question counts as lost, where its asker does not say otherwise. */
const PATIENCE = 2_000;
const LOST = 'The other process of the service did not answer.';

/** What waits for a response. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A message of this module; both processes are of one version. */
type Message =
  | {
      readonly care: 'request';
      readonly id: number;
      readonly kind: string;
      readonly argument: unknown;
    }
  | { readonly care: 'response'; readonly id: number; readonly result: unknown }
  | { readonly care: 'failure'; readonly id: number };

/** Requests and responses between the first process and a worker of it. */
export class Channel {
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(
    private readonly end: ChannelEnd,
    private readonly responders: Responders,
  ) {
    end.on('message', (message) => this.#received(message as Message));
  }

  /**
   * Returns what the other end responds with. Rejects when it fails, has ended, or takes longer than
   * `patience`, in milliseconds.
   */
  ask<T>(kind: string, argument?: unknown, patience = PATIENCE): Promise<T> {
    const id = ++this.#last;
    let timer: NodeJS.Timeout | undefined;
    const received = new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error(LOST)), patience);
      this.#waiting.set(id, { resolve, reject });
      this.#send({ care: 'request', id, kind, argument });
    });
    return received.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    }) as Promise<T>;
  }

  #received(message: Message): void {
    if (message.care === 'request')
      return void this.#respond(message.id, message.kind, message.argument);
    if (message.care === 'response') this.#waiting.get(message.id)?.resolve(message.result);
    if (message.care === 'failure') this.#waiting.get(message.id)?.reject(new Error(LOST));
  }

  async #respond(id: number, kind: string, argument: unknown): Promise<void> {
    try {
      const result = await this.responders[kind]?.(argument as never);
      this.#send({ care: 'response', id, result });
    } catch {
      this.#send({ care: 'failure', id });
    }
  }

  /**
   * Sends a message. One to a process that has ended is lost: nobody waits for it there. Without the
   * callback the loss would be an error of this process.
   */
  #send(message: Message): void {
    this.end.send(message, undefined, undefined, () => {});
  }
}
