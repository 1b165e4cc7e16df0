import { serviceContext } from '../../../src/core/service-context.js';
import { renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import type { Harness } from '../../support/harness.js';

/** Members of one kind. Each takes `perDay` doses of every day, and misses every fifth. */
export interface Group {
  readonly members: number;
  readonly language?: number;
  readonly type?: string;
  readonly perDay?: number;
}

/** Makes the cells of facts that stand in the database, and notes that all is counted. */
export async function makeCells(service: Harness): Promise<void> {
  const context = await serviceContext(service.app.deps, 'test');
  await renewCells(context);
  await noteCounted(service, context.now());
}

/** Notes that all is counted until an instant. */
export async function noteCounted(service: Harness, asOf: Date | string): Promise<void> {
  await service.database.query(
    `INSERT INTO report_state (subject, as_of) VALUES ('all', $1::timestamptz)
     ON CONFLICT (subject) DO UPDATE SET as_of = excluded.as_of`,
    [asOf],
  );
}

/** Makes the facts of groups of members from 2026-01-01 on, and the cells. Returns account ids. */
export async function makeCrowd(
  service: Harness,
  groups: readonly Group[],
  days = 59,
): Promise<number[]> {
  for (const [g, { members, language = 1, type = 'tablet', perDay = 3 }] of groups.entries()) {
    await service.database.query(
      `WITH made AS (
        INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at,
        email_proven_at)
        SELECT n, n, n, n, ARRAY['subscriber'], $2, '2024-01-01', '2024-01-01'
        FROM (SELECT 'crowd' || $5::text || 'x' || i AS n FROM generate_series(1, $1::int) i) names
        RETURNING id)
      INSERT INTO dose_fact
      SELECT id, '2026-01-01T08:00:00Z'::timestamptz + d * interval '1 day' + h * interval '4 hours',
        '2026-01-01'::date + d, 8 + 4 * h, $3::text, 'calendar',
        CASE WHEN (d * $6::int + h) % 5 = 0 THEN 'missed' ELSE 'taken' END,
        CASE WHEN (d * $6::int + h) % 5 > 0 THEN 0 END
      FROM made, generate_series(0, $4::int - 1) d, generate_series(0, $6::int - 1) h`,
      [members, language, type, days, g, perDay],
    );
  }
  await makeCells(service);
  const rows = await service.database.query<{ id: number }>(
    "SELECT id FROM account WHERE username LIKE 'crowd%' ORDER BY id",
  );
  return rows.map(({ id }) => id);
}
