import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIME_LIMIT } from '../../src/platform/push/push-transport.js';
import { type Received, tickets } from '../support/provider.js';
import { onServer } from './databases.js';
import { allCarried, remind } from './prescriptions.js';
import type { Answer } from './workforce.js';

/**
 * How often everybody is reminded, and the provider unwell for some seconds; `.ci/nightly` says
 * more.
 */
const ROUNDS = Number(process.env.PROVIDER_ROUNDS ?? 2);
/** Of what befalls the provider; set it to what a failed run has printed. */
const SEED = Number(process.env.PROVIDER_SEED ?? randomInt(2 ** 31));

const TAKEN = { taken: true, understood: true };
const UNCLEAR = { taken: true, understood: false };
const REFUSED = { taken: false, understood: true };

/** What a provider that is unwell answers, and how often. */
interface Kind {
  readonly what: string;
  readonly share: number;
  readonly answer: (request: Received) => Answer;
}
const WELL: Kind = {
  what: 'well',
  share: 6,
  answer: (request) => ({ ...tickets(request), after: 50, ...TAKEN }),
};
const ANSWERS: readonly Kind[] = [
  WELL,
  { what: 'twice', share: 2, answer: (request) => ({ ...tickets(request), again: 0, ...TAKEN }) },
  {
    what: 'twice, apart',
    share: 2,
    answer: (request) => ({ ...tickets(request), again: 3, ...TAKEN }),
  },
  {
    what: 'every ticket twice',
    share: 2,
    answer: (request) => ({ ...doubled(request), ...UNCLEAR }),
  },
  {
    what: 'too late',
    share: 1,
    answer: (request) => ({ ...tickets(request), after: TIME_LIMIT + 500, ...UNCLEAR }),
  },
  { what: 'cut', share: 2, answer: () => ({ drop: true, after: 50, ...UNCLEAR }) },
  {
    what: 'malformed',
    share: 2,
    answer: () => ({ body: '{"data": [{"status": "ok", "id":', ...UNCLEAR }),
  },
  {
    what: '429',
    share: 2,
    answer: () => ({ status: 429, headers: { 'Retry-After': '3' }, ...REFUSED }),
  },
  { what: '500', share: 3, answer: () => ({ status: 500, body: 'oops', ...REFUSED }) },
];

onServer(
  'a provider that answers late, twice, not at all, with 429, 500 or nonsense loses no ' +
    'occurrence, and sends none under two message ids',
  async (url) => {
    const random = sequence(SEED);
    const answers: Kind[] = [];
    const counts = new Map(ANSWERS.map(({ what }) => [what, 0]));
    const unwell = (request: Received) => {
      const { what, answer } = answers.pop() ?? WELL;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      return answer(request);
    };
    console.log(`PROVIDER_SEED=${SEED}`);
    const figures = await remind(
      url,
      async ({ database, prescribe }) => {
        for (let round = 0; round < ROUNDS; round++) {
          answers.push(...shuffled(random));
          await prescribe();
          for (let wait = 0; wait < 80 && answers.length > 0; wait++) await sleep(100);
          answers.length = 0; // what is refused for half an hour on end would be missed
          await allCarried(database);
        }
      },
      unwell,
    );
    const told = [...counts].map(([what, count]) => `${what}: ${count}`).join(', ');
    console.log(`${ROUNDS} rounds (${told}), ${figures}`);
  },
);

/** Tickets for every message, each of them twice. */
function doubled(request: Received): Pick<Answer, 'body'> {
  const { data } = tickets(request).body as { data: readonly unknown[] };
  return { body: { data: data.flatMap((ticket) => [ticket, ticket]) } };
}

/** As many answers as all shares are, in an order of their own. */
function shuffled(random: () => number): Kind[] {
  const all = ANSWERS.flatMap((kind) =>
    Array.from({ length: kind.share }, () => ({ kind, place: random() })),
  );
  return all.sort((a, b) => a.place - b.place).map(({ kind }) => kind);
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
