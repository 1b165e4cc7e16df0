// Attackers who ask the reports as analysts, and guess one secret bit of each victim: whether the
// victim is in the group that is attacked, or took doses on a day. They know what the victim adds,
// what their own helpers add, and how much the other members add on average. docs/reports.md names
// the attacks.
import type { Harness } from '../../support/harness.js';
import { useService } from '../../support/harness.js';
import { type Cast, DAYS, draws, play, publishedOf, renew, type Scene } from './scenes.js';
import { makeYear, truthOf } from './year.js';

const service = useService();
const VICTIMS = Number(process.env.REPORT_VICTIMS ?? 40);
/** Victims of one service. */
const AT_ONCE = 100;
/** What guesses may be right: the more victims, the less is luck (three standard errors). */
const MOST_RIGHT = VICTIMS >= 1_000 ? 0.55 : 0.5 + 1.5 / Math.sqrt(VICTIMS);

const draw = draws(20_260_101);
const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));
const flip = () => draw() < 0.5;
/** What members add: doses on 12 to 31 days. */
const members = (count: number) => Array.from({ length: count }, () => between(12, DAYS));
const MEAN = (12 + DAYS) / 2;
const sum = (days: readonly number[]) => days.reduce((all, each) => all + each, 0);
/** Others who share the type, so that it has a name: the victim is among them or in the group. */
const crowd = (): Cast => ({ days: members(between(22, 30)), language: 1 });

/** What an attacker sees of scenes: a score of each, above 0 where it speaks for the secret. */
type Attack = (scenes: readonly Scene[]) => Promise<readonly number[]>;

/** Makes scenes with a group of so many others. */
const scenes = (count: number, groupOf: (i: number) => readonly Cast[], name: string): Scene[] =>
  Array.from({ length: count }, (_, i) => {
    const secret = flip();
    return {
      secret,
      type: `${name}${i}`,
      others: [crowd(), ...groupOf(i)],
      victim: { days: members(1), language: secret ? 2 : 1 },
    };
  });

/** Returns how many of the guesses are right; where nothing speaks for either, a coin decides. */
async function rightOf(make: (count: number, name: string) => Scene[], attack: Attack) {
  let right = 0;
  for (let done = 0; done < VICTIMS; done += AT_ONCE) {
    await service().clean();
    service().at('2026-02-20T12:00:00Z');
    const all = make(Math.min(AT_ONCE, VICTIMS - done), `${done}of`);
    await play(service(), all);
    const scores = await attack(all);
    for (const [i, { secret }] of all.entries()) {
      const score = scores[i] ?? 0;
      right += (score === 0 ? flip() : score > 0) === secret ? 1 : 0;
    }
  }
  return right / VICTIMS;
}

let codes: readonly string[] = [];
const group = () => codes[1] as string;
beforeAll(async () => {
  const rows = await service().database.query<{ code: string }>(
    'SELECT code FROM language WHERE id < 3 ORDER BY id',
  );
  codes = rows.map(({ code }) => code);
});

const daysIn = ({ others }: Scene, language: 1 | 2) =>
  others.filter((cast) => cast.language === language).flatMap(({ days }) => days);
/** Half of what the victim adds: what is above what is expected of the others by that speaks for it. */
const half = ({ victim }: Scene) => (victim.days[0] as number) / 2;
/** What an attacker expects the group without the victim to add: helpers are known, others not. */
const expected = ({ others }: Scene) =>
  others
    .filter(({ language }) => language === 2)
    .reduce((all, { days, helpers }) => all + (helpers ? sum(days) : days.length * MEAN), 0);

/** Scores by what is published of the group. What is hidden speaks for fewer. */
const byGroup = (all: readonly Scene[], published: ReadonlyMap<string, number | null>) =>
  all.map((scene) => {
    const value = published.get(scene.type);
    if (value === undefined || value === null) return daysIn(scene, 2).length < 8 ? -1 : 0;
    return value - expected(scene) - half(scene);
  });

const small = () => [{ days: members(between(2, 18)), language: 2 } as const];
const large = () => [{ days: members(between(20, 60)), language: 2 } as const];
/** Half of the groups are small. */
const groups = (i: number) => (i % 2 ? small() : large());

const presence: Attack = async (all) =>
  byGroup(all, await publishedOf(service(), { language: group() }));

/** Asks the same in other words, and takes the mean. */
const repeated = async (of: Harness, all: readonly Scene[]) => {
  const asked = [
    'month',
    'quarter',
    'month language',
    'month scheduleKind',
    'quarter scheduleKind',
  ];
  const answers: ReadonlyMap<string, number | null>[] = [];
  for (const by of asked) answers.push(await publishedOf(of, { by, language: group() }));
  return new Map(
    all.map(({ type }) => {
      const values = answers.map((answer) => answer.get(type)).filter((value) => value != null);
      return [type, values.length > 0 ? sum(values as number[]) / values.length : null] as const;
    }),
  );
};

/** Runs an attack, and says how many guesses were right. */
async function judge(
  name: string,
  make: (count: number, name: string) => Scene[],
  attack: Attack,
): Promise<void> {
  const right = await rightOf(make, attack);
  if (process.env.REPORT_VICTIMS) console.log(`${name}: ${(100 * right).toFixed(1)} % right`);
  expect(right).toBeLessThanOrEqual(MOST_RIGHT);
}

describe('An attacker guesses little better than by a coin', () => {
  it('presence: whether the victim is in a group', async () => {
    await judge('presence', (count, name) => scenes(count, groups, name), presence);
  });

  it('sock puppets: whether the victim is in a group of helpers that are made by the dozen', async () => {
    const helpers = (i: number): Cast[] => [
      { days: members(between(0, 2)), language: 2 },
      { days: members(4), language: 2, helpers: true, ...(i % 2 && { guests: true }) },
    ];
    await judge(
      'sock puppets',
      (count, name) => scenes(count, helpers, name),
      async (all) => {
        const published = await publishedOf(service(), { language: group() });
        // With three real members it may be shown, with fewer never.
        return all.map(({ type }) => (published.has(type) ? 1 : -1));
      },
    );
  });

  it('leaving: whether it was in the group that the victim left', async () => {
    await judge(
      'leaving',
      (count, name) => scenes(count, groups, name),
      async (all) => {
        const before = await repeated(service(), all);
        await service().database.query("DELETE FROM account WHERE username LIKE 'victim%'");
        await renew(service());
        const after = await repeated(service(), all);
        return all.map((scene) => {
          const [then, now] = [before.get(scene.type), after.get(scene.type)];
          if (then == null || now == null) return (then == null) === (now == null) ? 0 : 1;
          return then - now - half(scene);
        });
      },
    );
  });

  it('complements: whether the victim is what is hidden of a total', async () => {
    const nobody = (): Cast[] => [{ days: [], language: 2 }];
    await judge(
      'complements',
      (count, name) => scenes(count, nobody, name),
      async (all) => {
        const total = await publishedOf(service(), {});
        const visible = await publishedOf(service(), { language: codes[0] });
        return all.map((scene) => {
          const [whole, part] = [total.get(scene.type), visible.get(scene.type)];
          return whole == null || part == null ? 0 : whole - part - half(scene);
        });
      },
    );
  });

  it('spans: whether the victim took doses in the last days of a range', async () => {
    const lasts = 7;
    // The others are known: each takes a dose on every day.
    const make = (count: number, name: string) =>
      scenes(count, () => [], name).map((scene) => ({
        ...scene,
        others: scene.others.map((cast) => ({ ...cast, days: cast.days.map(() => DAYS) })),
        victim: { days: [scene.secret ? DAYS : DAYS - lasts], language: 1 as const },
      }));
    await judge('spans', make, async (all) => {
      const whole = await publishedOf(service(), {});
      const shorter = await publishedOf(service(), { to: DAYS - lasts });
      const days = await publishedOf(service(), { by: 'day', from: DAYS - lasts + 1 });
      return all.map((scene) => {
        const known = lasts * daysIn(scene, 1).length + lasts / 2;
        const [long, short] = [whole.get(scene.type), shorter.get(scene.type)];
        const last = days.get(scene.type);
        const slices = [long != null && short != null ? long - short : null, last ?? null];
        const seen = slices.filter((slice) => slice !== null);
        return seen.length > 0 ? sum(seen) / seen.length - known : 0;
      });
    });
  });

  it('repeated questions: whether the mean of what is asked in other words tells more', async () => {
    await judge(
      'repeated questions',
      (count, name) => scenes(count, groups, name),
      async (all) => byGroup(all, await repeated(service(), all)),
    );
  });

  it('two processes: whether another process draws other noise', async () => {
    await judge(
      'two processes',
      (count, name) => scenes(count, groups, name),
      async (all) => {
        const other = await service().beside({});
        const [one, two] = [
          await publishedOf(service(), { language: group() }),
          await publishedOf(other, { language: group() }),
        ];
        await other.stop();
        expect(two).toStrictEqual(one);
        return byGroup(all, one);
      },
    );
  });
});

describe('A month of twenty members and more', () => {
  it('is off by two in a hundred in the median', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120);
    const range = { from: '2025-01-01', to: '2025-12-31' };
    const errors = new Map<string, number[]>();
    for (const by of [[], ['language'], ['medicineType'], ['language', 'medicineType']]) {
      const names = ['month', ...by];
      const truth = await truthOf(service(), { by: names, ...range });
      const { rows } = (
        await service().data(
          `{ doseReport(from: "${range.from}", to: "${range.to}") {
            rows { ${names.join(' ')} ${MEASURES.join(' ')} } } }`,
          {},
          'analyst',
        )
      ).doseReport;
      for (const row of rows) {
        const real = truth.get(JSON.stringify(names.map((name) => row[name])));
        if (!real || Number(real.members) < 20 || row.taken === null) continue;
        for (const name of MEASURES) {
          const error = Math.abs(row[name] - Number(real[name])) / Number(real[name]);
          errors.set(name, [...(errors.get(name) ?? []), error]);
        }
      }
    }
    const median = (of: number[]) => of.sort((a, b) => a - b)[of.length >> 1] as number;
    const medians = [...errors].map(([name, of]) => [name, of.length, median(of)] as const);
    if (process.env.REPORT_VICTIMS) console.log(medians);
    expect(errors.get('taken')?.length).toBeGreaterThan(50);
    for (const [name, , error] of medians)
      expect([name, error <= 0.02]).toStrictEqual([name, true]);
  });
});

const MEASURES = ['taken', 'missed', 'asNeeded', 'scheduled', 'adherenceRate'] as const;
