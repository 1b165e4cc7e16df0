// Attackers who ask the reports as analysts, and guess one secret bit of each victim: whether the
// victim is in the group that is attacked, or took doses in the last week. They know what the victim
// adds, what their own helpers add, and how much the other members add on average. Each attack is
// made on open numbers too, where it must succeed. docs/reports.md names the attacks.
import { Keys } from '../../../src/platform/keys.js';
import type { Harness } from '../../support/harness.js';
import { useService } from '../../support/harness.js';
import { quantile, range } from './figures.js';
import { type Cast, DAYS, draws, openOf, play, publishedOf, renew, type Scene } from './scenes.js';
import { makeYear, type Truth, truthOf } from './year.js';

const service = useService();
const VICTIMS = Number(process.env.REPORT_VICTIMS ?? 30);
/** Victims of one service. */
const AT_ONCE = 50;
/** How many guesses may be right: the fewer victims, the more is luck. */
const MOST_RIGHT = VICTIMS >= 1_000 ? 0.55 : 0.5 + 1.6 / Math.sqrt(VICTIMS);
/**
 * How many members a type has: half of the larger cells of the service have so many. In smaller
 * services 2 % of a cell is less than one member adds: docs/reports.md.
 */
const CROWD = (process.env.REPORT_CROWD ?? '60,80').split(',').map(Number) as [number, number];

const draw = draws(20_260_101);
const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));
const flip = () => draw() < 0.5;
/** What members add: doses on so many days. */
const FEWEST = 6;
const MOST = 12;
const MEAN = (FEWEST + MOST) / 2;
const members = (count: number) => Array.from({ length: count }, () => between(FEWEST, MOST));
const sum = (days: readonly number[]) => days.reduce((all, each) => all + each, 0);
const LASTS = 7;

/**
 * How many guesses on open numbers are right at least. Sock puppets find each victim who is there, and
 * one of three who are not (where the four puppets are alone): two of three guesses, but for luck.
 */
const LEAST_OPEN = 0.6;

/** Milliseconds that a thousand victims may take on a machine with other work. */
const PATIENCE = 3 * 60 * 60_000;

type Ask = typeof publishedOf;
type Numbers = ReadonlyMap<string, number | null>;

/** Makes a scene of a crowd that shares the type, and of a group: the victim is in one of them. */
function sceneOf(type: string, group: readonly Cast[]): Scene {
  const secret = flip();
  return {
    secret,
    type,
    others: [{ days: members(between(...CROWD)), language: 1 }, ...group],
    victim: { days: members(1), language: secret ? 2 : 1 },
  };
}

/**
 * A scene of which everything is known but whether the victim took doses in the last week, as every second
 * one did: all scenes have noises in common, by which all guesses may lean to one side.
 */
function spanOf(type: string, i: number): Scene {
  const scene = { ...sceneOf(type, []), secret: i % 2 === 0 };
  const others = scene.others.map((cast) => ({ ...cast, days: cast.days.map(() => DAYS) }));
  return {
    ...scene,
    others: others.map((cast) => ({ ...cast, days: cast.days.slice(0, CROWD[0] / 2) })),
    victim: { days: [scene.secret ? DAYS : DAYS - LASTS], language: 1 },
  };
}

/** Half of the groups are small. */
const groupOf = (i: number): Cast => ({
  days: members(i % 2 ? between(2, 18) : between(20, CROWD[1])),
  language: 2,
});
const helpersOf = (i: number): Cast[] => [
  { days: members(between(0, 2)), language: 2 },
  { days: members(4), language: 2, helpers: true, ...(i % 2 && { guests: true }) },
];

let codes: readonly string[] = [];
const daysIn = ({ others }: Scene, language: 1 | 2) =>
  others.filter((cast) => cast.language === language).flatMap(({ days }) => days);
/** What is above what is expected of the others by half of what the victim adds speaks for it. */
const half = ({ victim }: Scene) => (victim.days[0] as number) / 2;

/** Scores by what is published of the group. What is hidden speaks for fewer. */
const byGroup = (scenes: readonly Scene[], published: Numbers) =>
  scenes.map((scene) => {
    const [value, others] = [published.get(scene.type), daysIn(scene, 2).length];
    if (value === undefined || value === null) return others < 8 ? -1 : 0;
    return value - others * MEAN - half(scene);
  });

/** Asks the same in other words, and takes the mean. */
async function repeated(
  ask: Ask,
  scenes: readonly Scene[],
  of: 'taken' | 'members' = 'taken',
): Promise<Numbers> {
  const answers: Numbers[] = [];
  for (const by of ['month', 'quarter', 'language', 'scheduleKind'])
    answers.push(await ask(service(), { by, of, language: codes[1] }));
  return new Map(
    scenes.map(({ type }) => {
      const values = answers.flatMap((answer) => answer.get(type) ?? []);
      return [type, values.length > 0 ? sum(values) / values.length : null] as const;
    }),
  );
}

/** Scores by how many different members there are. Who the others are is known. */
async function membersOf(ask: Ask, scenes: readonly Scene[]) {
  const members = await repeated(ask, scenes, 'members');
  return scenes.map((scene) => {
    const value = members.get(scene.type);
    return value == null ? 0 : value - daysIn(scene, 2).length - 1 / 2;
  });
}

async function complements(ask: Ask, scenes: readonly Scene[]) {
  const total = await ask(service(), {});
  const visible = await ask(service(), { language: codes[0] });
  return scenes.map((scene) => {
    const [whole, part] = [total.get(scene.type), visible.get(scene.type)];
    return whole == null || part == null ? 0 : whole - part - half(scene);
  });
}

/** Overlapping ranges, and the days between their ends. */
async function spans(ask: Ask, scenes: readonly Scene[]) {
  const whole = await ask(service(), {});
  const shorter = await ask(service(), { to: DAYS - LASTS });
  const days = await ask(service(), { by: 'day', from: DAYS - LASTS + 1 });
  return scenes.map(({ type, ...scene }) => {
    const known = LASTS * (daysIn({ type, ...scene }, 1).length + 1 / 2);
    const difference = (whole.get(type) ?? Number.NaN) - (shorter.get(type) ?? Number.NaN);
    const seen = [difference, days.get(type) ?? Number.NaN].filter((each) => !Number.isNaN(each));
    return seen.length > 0 ? sum(seen) / seen.length - known : 0;
  });
}

/** The mean of the last days beside that of those before, of which everything is known. */
async function trends(ask: Ask, scenes: readonly Scene[]) {
  const last = await ask(service(), { by: 'day', from: DAYS - LASTS + 1 });
  const before: Numbers[] = [];
  // 200 types on eight days: a page of a report has 2,000 rows.
  for (let from = 1; from < DAYS - LASTS; from += 8)
    before.push(await ask(service(), { by: 'day', from, to: from + 7 }));
  return scenes.map(({ type }) => {
    const values = before.map((some) => some.get(type) ?? Number.NaN);
    const rise = (last.get(type) ?? Number.NaN) / LASTS - sum(values) / (DAYS - LASTS);
    return Number.isNaN(rise) ? 0 : rise + 1 / 2;
  });
}

async function twoProcesses(ask: Ask, scenes: readonly Scene[]) {
  const one = await ask(service(), { language: codes[1] });
  const other = await service().beside({});
  const two = await ask(other as Harness, { language: codes[1] });
  await other.stop();
  expect(two).toStrictEqual(one);
  return byGroup(scenes, one);
}

/** How many guesses of an attack were right, on what is published and on open numbers. */
const right = new Map<string, [published: number, open: number]>();

/** The tallies so far, for who waits. */
const tallies = () => [...right].map(([name, [published]]) => `${name} ${published}`).join(', ');

function judge(name: string, which: 0 | 1, scenes: readonly Scene[], scores: readonly number[]) {
  const tally = right.get(name) ?? [0, 0];
  for (const [i, { secret }] of scenes.entries()) {
    const score = scores[i] ?? 0;
    tally[which] += (score === 0 ? flip() : score > 0) === secret ? 1 : 0;
  }
  right.set(name, tally);
}

/** Makes so many scenes of each kind, and all attacks on them. */
async function attack(count: number, name: string): Promise<void> {
  const many = (kind: string, make: (type: string, i: number) => Scene) =>
    Array.from({ length: count }, (_, i) => make(`${name}${kind}${i}`, i));
  const groups = many('g', (type, i) => sceneOf(type, [groupOf(i)]));
  const puppets = many('h', (type, i) => sceneOf(type, helpersOf(i)));
  const alone = many('c', (type) => sceneOf(type, []));
  const ranges = many('s', spanOf);
  await play(service(), [...groups, ...puppets, ...alone, ...ranges]);
  const before: Numbers[] = [];
  for (const [which, ask] of ASKS) {
    before[which] = await repeated(ask, groups);
    const presence = await ask(service(), { language: codes[1] });
    judge('presence', which, groups, byGroup(groups, presence));
    const shown = puppets.map(({ type }) => (presence.has(type) ? 1 : -1));
    judge('sock puppets', which, puppets, shown);
    judge('complements', which, alone, await complements(ask, alone));
    judge('spans', which, ranges, await spans(ask, ranges));
    judge('trends', which, ranges, await trends(ask, ranges));
    judge('repeated questions', which, groups, byGroup(groups, before[which] as Numbers));
    judge('members', which, groups, await membersOf(ask, groups));
    judge('two processes', which, groups, await twoProcesses(ask, groups));
  }
  await service().database.query("DELETE FROM account WHERE username LIKE 'victim%'");
  await renew(service());
  for (const [which, ask] of ASKS) {
    const after = await repeated(ask, groups);
    const losses = groups.map((scene) => {
      const [then, now] = [before[which]?.get(scene.type), after.get(scene.type)];
      if (then == null || now == null) return (then == null) === (now == null) ? 0 : 1;
      return then === now ? -1 : then - now - half(scene);
    });
    judge('leaving', which, groups, losses);
  }
}

const ASKS = [
  [0, publishedOf],
  [1, openOf],
] as const;

describe('An attacker who asks reports', () => {
  const guesses = async () => {
    for (let done = 0; done < VICTIMS; done += AT_ONCE) {
      await service().clean();
      service().at('2026-02-20T12:00:00Z');
      const rows = await service().database.query<{ code: string }>(
        'SELECT code FROM language WHERE id < 3 ORDER BY id',
      );
      codes = rows.map(({ code }) => code);
      await attack(Math.min(AT_ONCE, VICTIMS - done), `${done}`);
      if (process.env.REPORT_VICTIMS) process.stderr.write(`${done + AT_ONCE} ${tallies()}\n`);
    }
    const shares = [...right].map(([name, of]) => [name, ...of.map((n) => n / VICTIMS)] as const);
    if (process.env.REPORT_VICTIMS) console.log(shares);
    expect(shares.length).toBe(9);
    for (const [name, published = 1, open = 0] of shares) {
      expect([name, open >= LEAST_OPEN]).toStrictEqual([name, true]);
      expect([name, published, published <= MOST_RIGHT]).toStrictEqual([name, published, true]);
    }
  };
  it('guesses little better than by a coin', guesses, PATIENCE);
});

/** Keys of the noise that errors are pooled over: one alone may be lucky, and of few members sixty. */
const KEYS = 6;
const MANY_KEYS = 150;
const MEASURES = ['taken', 'missed', 'asNeeded', 'scheduled', 'adherenceRate'] as const;
const LAST = { from: '2025-11-01', to: '2025-12-31' };
const BY = [[], ['language'], ['medicineType'], ['language', 'medicineType']] as const;

/** How far a number is from the truth, as a share of it; in a cell of so many members. */
interface Off {
  readonly name: string;
  readonly members: number;
  readonly error: number;
}

/** Returns how far what a service answers about months is from the truth. */
async function errorsOf(asked: Harness, truths: readonly ReadonlyMap<string, Truth>[]) {
  const errors: Off[] = [];
  for (const [i, by] of BY.entries()) {
    const names = ['month', ...by];
    const query = `{ doseReport(from: "${LAST.from}", to: "${LAST.to}") {
      rows { ${names.join(' ')} ${MEASURES.join(' ')} } } }`;
    for (const row of (await asked.data(query, {}, 'analyst')).doseReport.rows) {
      const real = truths[i]?.get(JSON.stringify(names.map((name) => row[name])));
      if (!real || Number(real.members) < 20 || row.taken === null) continue;
      for (const name of MEASURES) {
        const error = Math.abs(row[name] - Number(real[name])) / Number(real[name]);
        errors.push({ name, members: Number(real.members), error });
      }
    }
  }
  return errors;
}

async function pooledErrors(keys: number): Promise<readonly Off[]> {
  const truths: ReadonlyMap<string, Truth>[] = [];
  for (const by of BY) truths.push(await truthOf(service(), { by: ['month', ...by], ...LAST }));
  const errors: Off[] = [];
  for (const i of range(keys)) {
    const other = await service().beside({ keys: new Keys(`${i}`.padEnd(40, `${i % 10}`)) });
    errors.push(...(await errorsOf(other, truths)));
    await other.stop();
  }
  return errors;
}

describe('A month of twenty members and more', () => {
  it('is off by two in a hundred in the median of a service of 2,400 members, over six keys', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 2_400, LAST.from);
    const errors = await pooledErrors(KEYS);
    const medians = MEASURES.map((measure) => {
      const of = errors.filter(({ name }) => name === measure).map(({ error }) => error);
      return [measure, of.length, quantile(of, 0.5)] as const;
    });
    if (process.env.REPORT_VICTIMS) console.log(medians);
    for (const [name, cells, error] of medians) {
      expect(cells).toBeGreaterThan(25 * KEYS);
      expect([name, error, error <= 0.02]).toStrictEqual([name, error, true]);
    }
  });

  it('is off by six and a half average members in the median of a service of 120 members, over 150 keys', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120, LAST.from);
    const errors = (await pooledErrors(MANY_KEYS)).filter(({ name }) => name === 'scheduled');
    const members = errors.map(({ error, members: of }) => error * of);
    if (process.env.REPORT_VICTIMS)
      console.log(
        quantile(members, 0.5),
        quantile(
          errors.map(({ error }) => error),
          0.5,
        ),
      );
    expect(quantile(members, 0.5)).toBeLessThanOrEqual(6.5);
  });
});
