import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { projectRoot } from '../../src/platform/root.js';
import { Provider, type Received, type Reply } from './provider.js';

/** How docs/channels.md tells operators to verify a request. */
export type IsGenuine = (
  headers: IncomingHttpHeaders,
  body: string,
  secret: string,
  now?: number,
) => boolean;

/** Returns the function of docs/channels.md. */
export async function documentedVerification(): Promise<IsGenuine> {
  const page = readFileSync(join(projectRoot, 'docs/channels.md'), 'utf8');
  const [, code] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
  if (!code) throw new Error('docs/channels.md shows no code.');
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).isGenuine;
}

/** The secret of the receiver, as it is configured. */
export const SECRET = `whsec_${Buffer.alloc(32, 'secret').toString('base64')}`;

/** A text as the receiver got it, verified. */
export interface ReceivedText {
  readonly id: string;
  readonly channel: string;
  readonly to: string;
  readonly text: string;
  readonly kind: string;
  readonly silent: boolean;
  readonly due_at: string;
  readonly expires_at: string;
}

/**
 * An operator's receiver of texts on loopback. It verifies requests as docs/channels.md says and
 * answers 401 to others; to genuine ones it answers as the test says, 204 unless told.
 */
export class Receiver {
  /** What it answers, by the text and the number of texts so far. */
  reply: (text: ReceivedText, count: number) => Reply = () => ({ status: 204 });
  readonly texts: ReceivedText[] = [];
  forged = 0;
  #provider!: Provider;

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    const isGenuine = await documentedVerification();
    receiver.#provider = await Provider.start((request) => receiver.#take(request, isGenuine));
    return receiver;
  }

  get url(): string {
    return `${this.#provider.url}/texts`;
  }

  get variables(): Record<string, string> {
    return {
      MESSAGES_WEBHOOK_URL: this.url,
      MESSAGES_WEBHOOK_SECRET: SECRET,
      MESSAGES_ACCOUNT_HOURS: '0',
    };
  }

  /** Returns the code of the last text. */
  get code(): string {
    return /\d{6}/.exec(this.texts.at(-1)?.text ?? '')?.[0] ?? '';
  }

  stop(): Promise<void> {
    return this.#provider.stop();
  }

  #take({ headers, bytes, json }: Received, isGenuine: IsGenuine): Reply {
    if (!isGenuine(headers, bytes.toString(), SECRET)) {
      this.forged += 1;
      return { status: 401 };
    }
    const text = { id: String(headers['webhook-id']), ...json };
    this.texts.push(text);
    return this.reply(text, this.texts.length);
  }
}
