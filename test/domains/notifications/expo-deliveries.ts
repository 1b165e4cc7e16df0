import { ExpoTransport } from '../../../src/platform/push/expo.js';
import { type Caller, type Harness } from '../../support/harness.js';
import { Provider, type Received, type Reply } from '../../support/provider.js';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const going = new AbortController().signal;

/** Devices that a provider on loopback reaches, and what became of their deliveries. */
export function expoDeliveries(service: () => Harness) {
  let provider: Provider | undefined;
  let start = 0;
  afterEach(async () => {
    await provider?.stop();
    provider = undefined;
  });

  /**
   * A service whose Expo devices are reached through a provider on loopback, at a clock that stands
   * still.
   */
  const expo = async (reply: (request: Received, count: number) => Reply) => {
    start = Date.parse('2026-07-01T08:00:00Z');
    service().now = () => start;
    provider = await Provider.start(reply);
    const { deps } = service().app;
    return { ...deps, push: { ...deps.push, expo: new ExpoTransport({ url: provider.url }) } };
  };
  const pass = (milliseconds: number) => {
    const now = service().now() + milliseconds;
    service().at(now);
  };
  const send = (title = 'Hello', as: Caller = 'subscriber') =>
    service().rest('POST', '/v1/notify', { as, body: { title } });
  const rows = () => service().database.prisma.delivery.findMany({ orderBy: { id: 'asc' } });
  const states = async () =>
    (await rows()).map(({ state, code }) => (code ? `${state} ${code}` : state));
  const messages = () =>
    (provider?.received ?? [])
      .filter(({ path }) => path.endsWith('/send'))
      .flatMap(({ json }) => json);
  const mails = () => service().database.prisma.outgoingMail.findMany();
  const failing = (code: string) => ({ status: 'error', message: 'no', details: { error: code } });
  return { startedAt: () => start, expo, pass, send, rows, states, messages, mails, failing };
}
