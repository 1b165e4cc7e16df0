import { Counter } from 'prom-client';
import { registry } from './metrics.js';

/** How many programs are told apart; further ones are counted together. */
const MOST_APPS = 50;
/** The first product of a User-Agent (RFC 9110, 10.1.5), with up to two numbers of its version. */
const PRODUCT = /^([a-z][\w-]{0,30})\/(\d{1,4}(?:\.\d{1,4})?)(?![\d])/i;

const uses = new Counter({
  name: 'care_route_uses_total',
  help:
    'Requests of each route, by edition and by the program and version that its User-Agent names ' +
    'first.',
  labelNames: ['edition', 'method', 'route', 'app'],
  registers: [registry],
});
const apps = new Set<string>();

/** A request of a route. */
interface Use {
  readonly edition: string;
  readonly method: string;
  readonly route: string;
  readonly userAgent: string | undefined;
}

/** Counts a request, so that operators see who still uses what is deprecated. */
export function observeUse({ userAgent, ...labels }: Use): void {
  uses.inc({ ...labels, app: appOf(userAgent) });
}

/** `Care/2.3` of `Care/2.3.1 (iOS)`. A caller cannot make more than `MOST_APPS` of them. */
function appOf(userAgent: string | undefined): string {
  const [, name, version] = PRODUCT.exec(userAgent ?? '') ?? [];
  if (!name) return 'unknown';
  const app = `${name}/${version}`;
  if (apps.size < MOST_APPS) apps.add(app);
  return apps.has(app) ? app : 'other';
}
