import type { Harness } from '../../support/harness.js';
import { makeCells } from './crowd.js';

/** Days of January 2026, the month of all scenes. */
export const DAYS = 31;

/** One kind of members of a scene. Each takes one dose on so many of the days, the first ones. */
export interface Cast {
  readonly days: readonly number[];
  /** 1 for those among whom a victim may hide, 2 for the group that is attacked. */
  readonly language: 1 | 2;
  /** Helpers are made by the dozen: their address is not proven. */
  readonly helpers?: true;
  readonly guests?: true;
}

/** A victim and those around. What is secret of the victim: `secret`, which is drawn. */
export interface Scene {
  readonly secret: boolean;
  readonly type: string;
  readonly others: readonly Cast[];
  /** What the victim takes, and among whom. */
  readonly victim: Cast;
}

interface Actor {
  readonly name: string;
  readonly type: string;
  readonly language: number;
  readonly days: number;
  readonly helper: boolean;
  readonly guest: boolean;
}

const actorsOf = (scene: Scene, number: number): Actor[] =>
  [...scene.others, scene.victim].flatMap((cast, c) =>
    cast.days.map((days, i) => ({
      name: `${cast === scene.victim ? 'victim' : 'other'}${number}x${c}x${i}`,
      type: scene.type,
      language: cast.language,
      days,
      helper: cast.helpers ?? false,
      guest: cast.guests ?? false,
    })),
  );

/** Actors that one statement makes: on a loaded machine all of them take longer than one may. */
const AT_ONCE = 4_000;

/** Makes the members and facts of scenes, and the cells. */
export async function play(service: Harness, scenes: readonly Scene[]): Promise<void> {
  const actors = scenes.flatMap(actorsOf);
  for (let made = 0; made < actors.length; made += AT_ONCE)
    await make(service, actors.slice(made, made + AT_ONCE));
  await makeCells(service);
}

async function make(service: Harness, actors: readonly Actor[]): Promise<void> {
  const column = <K extends keyof Actor>(name: K) => actors.map((actor) => actor[name]);
  await service.database.query(
    `WITH actor AS (SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::bool[],
        $6::bool[]) AS a(name, type, language, days, helper, guest)),
      made AS (
        INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at,
          email_proven_at)
        SELECT name, name, name, name, ARRAY[CASE WHEN guest THEN 'guest' ELSE 'subscriber' END],
          language, '2025-06-01', CASE WHEN NOT helper THEN '2025-06-01'::timestamptz END
        FROM actor RETURNING id, username)
    INSERT INTO dose_fact
    SELECT id, '2026-01-01T08:00:00Z'::timestamptz + d * interval '1 day', '2026-01-01'::date + d, 8,
      type, 'calendar', 'taken', 5
    FROM made JOIN actor ON name = username, generate_series(0, days - 1) d`,
    [
      column('name'),
      column('type'),
      column('language'),
      column('days'),
      column('helper'),
      column('guest'),
    ],
  );
}

export { makeCells as renew } from './crowd.js';

/** The published number of doses or members by type, of the attacked group or of all. */
export type Published = ReadonlyMap<string, number | null>;

/** Asks as an analyst. Without `language` of all. */
export async function publishedOf(
  service: Harness,
  { by = 'month', of = 'taken', language, from = 1, to = DAYS }: Asked,
): Promise<Published> {
  const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}`;
  const filter = language ? `, filter: { language: ["${language}"] }` : '';
  const query = `{ doseReport(from: "${day(from)}", to: "${day(to)}", first: 2000${filter}) {
    rows { ${by} medicineType ${of} } } }`;
  const { rows } = (await service.data(query, {}, 'analyst')).doseReport;
  const published = new Map<string, number | null>();
  for (const { medicineType, [of]: number } of rows)
    if (number !== null) published.set(medicineType, (published.get(medicineType) ?? 0) + number);
  return published;
}

/** The same as if nothing but five accounts protected it: without noise. */
export async function openOf(
  service: Harness,
  { of = 'taken', language, from = 1, to = DAYS }: Asked,
): Promise<Published> {
  const counted = of === 'taken' ? '*' : 'DISTINCT f.account_id';
  const rows = await service.database.query<{ type: string; number: number }>(
    `SELECT f.medicine_type AS type, count(${counted})::int AS number FROM dose_fact f
     JOIN account a ON a.id = f.account_id JOIN language l ON l.id = a.language_id
     WHERE extract(day FROM f.day) BETWEEN $1 AND $2 AND ($3::text IS NULL OR l.code = $3)
     GROUP BY f.medicine_type HAVING count(DISTINCT f.account_id) >= 5`,
    [from, to, language ?? null],
  );
  return new Map(rows.map(({ type, number }) => [type, number]));
}

interface Asked {
  readonly by?: string;
  readonly of?: 'taken' | 'members';
  readonly language?: string | undefined;
  /** Days of the month. */
  readonly from?: number;
  readonly to?: number;
}

/** A source of numbers from 0 to 1 that draws the same ones each time (mulberry32). */
export function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
