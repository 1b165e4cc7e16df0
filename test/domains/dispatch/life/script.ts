import fc from 'fast-check';
import { DAY, clock as ms, offsetByIntl } from '../../reminders/schedule/walk.js';
import { type Drawn, FREQUENCIES } from './frequency.js';

/**
 * What members do, as it is drawn: plain data that says everything relative to the moment at which
 * it is done, so that a life stays a life when steps are left out of it.
 */
export interface Life {
  /** Local time at which it begins, and where. */
  readonly begins: { readonly zone: string; readonly day: string; readonly minute: number };
  readonly members: readonly { readonly knows: Knows; readonly first: readonly Medicine[] }[];
  /** How many milliseconds after an occurrence the jobs look. */
  readonly lag: number;
  /** How many processes run the jobs. */
  readonly workers: number;
  readonly steps: readonly Step[];
}

/** Where the service knows a member's zone from. */
export type Knows = 'profile' | 'header' | 'nothing';

export interface Step {
  readonly who: number;
  readonly wait: Wait;
  /** Whether the jobs run meanwhile. */
  readonly jobs: boolean;
  /** GraphQL instead of REST, where both can. */
  readonly graphql: boolean;
  /** The other member does it, who is the carer. */
  readonly carer: boolean;
  readonly act: Act;
}

/**
 * Some minutes, or until the nth next thing that is due for the member, shifted by some
 * milliseconds.
 */
export type Wait = { readonly minutes: number } | { readonly next: number; readonly shift: number };

/** A date as it is said: days from today, a clock time or minutes from now, and an offset. */
export interface When {
  readonly day: number;
  readonly clock?: string | { readonly soon: number } | undefined;
  readonly offset?: 'own' | 'own to come' | 'Z' | '+09:00' | '-03:30' | 'epoch' | undefined;
  /** A date that clients send for none. */
  readonly never?: boolean;
}

export interface Medicine {
  readonly frequency: Drawn;
  /** Null: none is sent. */
  readonly start: When | null;
  readonly end: When | null;
}

export type Act =
  | ({ readonly do: 'make' } & Medicine)
  | {
      readonly do: 'edit';
      readonly which: number;
      readonly frequency?: Drawn;
      readonly start?: When | 'the same';
      readonly end?: When | null;
    }
  | { readonly do: 'rename'; readonly which: number }
  | { readonly do: 'delete'; readonly which: number }
  | { readonly do: 'invite'; readonly at: When; readonly lead: number }
  | { readonly do: 'reinvite'; readonly which: number; readonly at?: When; readonly lead?: number }
  | { readonly do: 'attend'; readonly which: number; readonly attended: boolean }
  | { readonly do: 'fly'; readonly zone: string }
  | { readonly do: 'forget zone' }
  | { readonly do: 'retime'; readonly times: readonly (readonly string[])[] }
  /** The nth dose before (0 and below) or after now. */
  | { readonly do: 'take' | 'skip' | 'undo' | 'take again'; readonly dose: number }
  | { readonly do: 'snooze'; readonly dose: number; readonly minutes: number }
  | { readonly do: 'log'; readonly which: number }
  | { readonly do: 'register' | 'remove' | 'suspend' | 'hand on'; readonly device: number }
  | { readonly do: 'repeat'; readonly minutes: number | null; readonly times: number }
  | { readonly do: 'quiet'; readonly from: string | null; readonly to: string | null }
  | { readonly do: 'tell carers'; readonly tell: boolean }
  | { readonly do: 'carer joins' | 'carer leaves' }
  | { readonly do: 'nothing' };

export type Answer = Extract<Act, { readonly dose: number }>;

export const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'Asia/Singapore',
  'Pacific/Honolulu',
  'America/Los_Angeles',
  'Europe/London',
  'UTC',
] as const;

/** Days at whose end clocks shift, a day is left out, a month or a leap year's February ends. */
const EVES = [
  ['America/New_York', '2026-03-07'],
  ['America/New_York', '2026-10-31'],
  ['Europe/Berlin', '2026-03-28'],
  ['Europe/Berlin', '2026-10-24'],
  ['Australia/Lord_Howe', '2026-04-04'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['America/Santiago', '2026-04-04'],
  ['America/Santiago', '2026-09-05'],
  ['Pacific/Apia', '2011-12-29'],
  ['Asia/Kathmandu', '1985-12-31'],
  ['Asia/Kathmandu', '2026-01-30'],
  ['Europe/Berlin', '2028-02-27'],
  ['America/New_York', '2027-12-30'],
] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const CLOCKS = [
  '00:00',
  '00:30',
  '01:15',
  '01:30',
  '02:00',
  '02:15',
  '02:30',
  '03:00',
  '07:59',
  '08:00',
  '12:00',
  '20:00',
  '20:00:30',
  '23:30',
  '23:59',
];
const clock: fc.Arbitrary<When['clock']> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.constantFrom(...CLOCKS) },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 5, 30, 90).map((soon) => ({ soon })) },
);
const offset: fc.Arbitrary<When['offset']> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom('own', 'own to come', 'Z', '+09:00', '-03:30', 'epoch') },
);
const when = (...days: number[]): fc.Arbitrary<When> =>
  fc.record({ day: fc.constantFrom(...days), clock, offset });
const start = fc.oneof(
  { weight: 4, arbitrary: when(0, 0, 0, -1, 1, 2) },
  { weight: 2, arbitrary: when(-7, -14, -28, -29, -30, -31, -59, -60, -365, -366, -1461) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const end = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: when(0, 1, 1, 2, 3) },
  { weight: 1, arbitrary: fc.constant({ day: 0, never: true }) },
);

const names = Object.keys(FREQUENCIES) as (keyof typeof FREQUENCIES)[];
const bound: fc.Arbitrary<Drawn['bound']> = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 6 }).map((count) => ({ count })),
  fc.record({
    days: fc.integer({ min: 0, max: 3 }),
    form: fc.constantFrom('date', 'floating', 'utc'),
  }),
);
const frequency: fc.Arbitrary<Drawn> = fc.record({
  name: fc.oneof(
    {
      weight: 1,
      arbitrary: fc.constantFrom<keyof typeof FREQUENCIES>('daily', 'twice_daily', 'every_8_hours'),
    },
    { weight: 2, arbitrary: fc.constantFrom(...names) },
  ),
  bound,
});
const medicine: fc.Arbitrary<Medicine> = fc.record({ frequency, start, end });

const which = fc.constantFrom(0, 0, 0, 1, 2, 3);
const dose = fc.oneof(fc.constantFrom(-1, 0, 0, 1, 1), fc.integer({ min: -4, max: 5 }));
const usual = fc.constantFrom<readonly (readonly string[])[]>(
  [['09:00'], ['09:00', '19:00']],
  [['06:30'], ['10:00', '22:00'], ['07:00', '13:00', '19:00']],
  [['20:00']],
  [['02:30'], ['02:30', '14:30'], ['00:00', '08:00', '16:00']],
  [['08:00'], ['08:00', '20:00'], ['06:00', '12:00', '18:00', '23:59']],
);
const act = <T extends Act['do']>(what: T, fields: object = {}) =>
  fc.record({ do: fc.constant(what), ...fields }) as unknown as fc.Arbitrary<Act>;
const none = { nil: undefined };
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 5, arbitrary: act('make', { frequency, start, end }) },
  {
    weight: 9,
    arbitrary: act('edit', {
      which,
      frequency: fc.option(frequency, none),
      start: fc.oneof(fc.constant(undefined), fc.constant('the same'), when(0, 0, 1, -1, -7)),
      end: fc.oneof(fc.constant(undefined), end),
    }),
  },
  { weight: 1, arbitrary: act('rename', { which }) },
  { weight: 2, arbitrary: act('delete', { which }) },
  {
    weight: 3,
    arbitrary: act('invite', { at: when(0, 0, 1, 2), lead: fc.constantFrom(0, 10, 60, 1440) }),
  },
  {
    weight: 3,
    arbitrary: act('reinvite', {
      which,
      at: fc.option(when(0, 0, 1, 2), none),
      lead: fc.option(fc.constantFrom(0, 10, 60, 1440), none),
    }),
  },
  { weight: 2, arbitrary: act('attend', { which, attended: fc.boolean() }) },
  { weight: 12, arbitrary: act('fly', { zone: fc.constantFrom(...ZONES) }) },
  { weight: 1, arbitrary: act('forget zone') },
  { weight: 6, arbitrary: act('retime', { times: usual }) },
  { weight: 8, arbitrary: act('take', { dose }) },
  { weight: 3, arbitrary: act('skip', { dose }) },
  { weight: 6, arbitrary: act('undo', { dose }) },
  { weight: 1, arbitrary: act('take again', { dose }) },
  { weight: 8, arbitrary: act('snooze', { dose, minutes: fc.constantFrom(1, 10, 30, 180, 720) }) },
  { weight: 1, arbitrary: act('log', { which }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('register', 'remove', 'suspend', 'hand on')
      .chain((what) => act(what as Act['do'], { device: fc.nat(1) })),
  },
  {
    weight: 4,
    arbitrary: act('repeat', {
      minutes: fc.option(fc.constantFrom(5, 10, 25, 50)),
      times: fc.integer({ min: 0, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        act('quiet', { from: fc.constant('22:00'), to: fc.constant('08:00') }),
        act('quiet', { from: fc.constant(null), to: fc.constant(null) }),
      )
      .chain((one) => one),
  },
  { weight: 1, arbitrary: act('tell carers', { tell: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('carer joins', 'carer leaves')
      .chain((what) => act(what as Act['do'])),
  },
  { weight: 3, arbitrary: act('nothing') },
);

const SHIFTS = [
  -24 * HOUR - MINUTE,
  -12 * HOUR,
  -2 * HOUR,
  -40 * MINUTE,
  -MINUTE,
  -1,
  0,
  1,
  20_000,
  MINUTE,
  10 * MINUTE,
  29 * MINUTE,
  30 * MINUTE,
  31 * MINUTE,
  115 * MINUTE,
  2 * HOUR,
  125 * MINUTE,
];
const wait: fc.Arbitrary<Wait> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      minutes: fc.constantFrom(0, 0, 0, 1, 7, 29, 31, 60, 150, 480, 720, 1440),
    }),
  },
  { weight: 3, arbitrary: fc.record({ next: fc.nat(3), shift: fc.constantFrom(...SHIFTS) }) },
);
const step: fc.Arbitrary<Step> = fc.record({
  who: fc.constantFrom(0, 0, 0, 1),
  wait,
  jobs: fc.constantFrom(true, true, true, false),
  graphql: fc.boolean(),
  carer: fc.constantFrom(false, false, false, false, true),
  act: acts,
});

export const life: fc.Arbitrary<Life> = fc.record({
  begins: fc
    .record({
      eve: fc.constantFrom(...EVES),
      minute: fc.constantFrom(0, 450, 480, 719, 1200, 1380),
    })
    .map(({ eve: [zone, day], minute }) => ({ zone, day, minute })),
  members: fc.tuple(
    fc.record({
      knows: fc.constantFrom<Knows>('profile', 'profile', 'header', 'nothing'),
      first: fc.array(medicine, { minLength: 1, maxLength: 2 }),
    }),
    fc.record({
      knows: fc.constantFrom<Knows>('profile', 'header'),
      first: fc.array(medicine, { maxLength: 1 }),
    }),
  ),
  lag: fc.constantFrom(0, 1, 400, 30_000),
  workers: fc.constantFrom(1, 1, 2),
  steps: fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }),
});

/** A moment as it was sent, and as it is to be read. */
export interface Said {
  readonly text: string;
  /** In milliseconds as if UTC. */
  readonly local: number;
  readonly clock: boolean;
  /** Minutes ahead of UTC. */
  readonly offset?: number;
}

const two = (number: number) => String(Math.abs(number)).padStart(2, '0');
const offsetText = (minutes: number) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;

/** What a drawn date is when it is said now, by a member who lives in a zone. */
export function say(
  { day, clock: time, offset: kind, never }: When,
  now: number,
  zone: string,
): Said {
  if (never) return { text: '9999-12-31', local: Date.UTC(9999, 11, 31), clock: false };
  const ahead =
    kind === undefined
      ? undefined
      : {
          own: offsetByIntl(now, zone) / MINUTE,
          'own to come': offsetByIntl(now + 2 * DAY, zone) / MINUTE,
          Z: 0,
          epoch: 0,
          '+09:00': 540,
          '-03:30': -210,
        }[kind];
  const shown = now + (ahead === undefined ? offsetByIntl(now, zone) : ahead * MINUTE);
  const today = Math.floor(shown / DAY) * DAY + day * DAY;
  if (time === undefined)
    return { text: new Date(today).toISOString().slice(0, 10), local: today, clock: false };
  const local =
    typeof time === 'string'
      ? today + ms(time)
      : Math.floor(shown / MINUTE) * MINUTE + day * DAY + time.soon * MINUTE;
  const text = new Date(local).toISOString().slice(0, 19);
  if (ahead === undefined) return { text, local, clock: true };
  // Seconds since 1970 are understood from 2001 on.
  if (kind === 'epoch' && local >= 1e12)
    return { text: String(local / 1000), local, clock: true, offset: 0 };
  return {
    text: text + (ahead === 0 ? 'Z' : offsetText(ahead)),
    local,
    clock: true,
    offset: ahead,
  };
}
