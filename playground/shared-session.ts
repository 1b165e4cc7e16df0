// Tabs of this page share a session: they tell each other of it, and no browser keeps it longer.
import type { KnownSession } from './session.js';

/** What a tab does with a session that another one tells of. */
interface Hearing {
  readonly current: () => KnownSession | undefined;
  readonly adopt: (session: KnownSession) => void;
  readonly end: () => void;
}

type Message =
  | { readonly kind: 'asked' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'session'; readonly session: KnownSession };

const NAME = 'care:session';
/** Lock that each open tab shares, so that a tab knows whether there are others. */
const TAB = 'care:tab';
/** Milliseconds to wait for other tabs that are there. */
const PATIENCE = 300;

const channel = new BroadcastChannel(NAME);
/** Browsers have locks in secure contexts alone; elsewhere each tab has its own session. */
const locks: LockManager | undefined = navigator.locks;
locks?.request(TAB, { mode: 'shared' }, () => new Promise(() => undefined));
let heard: Hearing | undefined;

/** Answers other tabs, and takes from them what is newer. */
export function hear(hearing: Hearing): void {
  if (!locks) return;
  heard = hearing;
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ended') hearing.end();
    else if (data.kind === 'session') hearing.adopt(data.session);
    else if (hearing.current()) tell('session', hearing.current());
  });
}

/** Tells the other tabs of a session, or that it was ended. */
export function tell(kind: 'ended' | 'session', session?: KnownSession): void {
  if (locks) channel.postMessage(kind === 'ended' ? { kind } : { kind, session });
}

/** Runs what one tab may do at a time: a refresh token is used once. */
export const alone = <T>(work: () => Promise<T>): Promise<T> =>
  locks ? (locks.request(NAME, work) as Promise<T>) : work();

/**
 * Asks the other tabs for a session other than that of a token, and waits until one of them has
 * answered; not at all when there are none.
 */
export async function newest(token: string | undefined): Promise<void> {
  const { held = [] } = (await locks?.query()) ?? {};
  if (held.filter(({ name }) => name === TAB).length < 2) return;
  const answered = new Promise<void>((resolve) => {
    const listen = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'session' || data.session.token === token) return;
      channel.removeEventListener('message', listen);
      resolve();
    };
    channel.addEventListener('message', listen);
    setTimeout(() => {
      channel.removeEventListener('message', listen);
      resolve();
    }, PATIENCE);
  });
  channel.postMessage({ kind: 'asked' } satisfies Message);
  if (heard) await answered;
}
