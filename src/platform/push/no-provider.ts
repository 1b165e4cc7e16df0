import type { Outcome, PushMessage, PushTransport } from './push-transport.js';

/** Sends nothing, since the configuration has no provider for this kind of recipient. */
export class NoProvider implements PushTransport {
  readonly name = 'none';
  readonly batch = 1_000;
  readonly concurrency = 1;

  async send(messages: readonly PushMessage[]): Promise<Outcome[]> {
    return messages.map(() => ({ kind: 'unserved' }));
  }
}

/** Returns whether a transport can reach anybody. */
export const isServed = ({ name }: PushTransport): boolean => name !== 'none';
