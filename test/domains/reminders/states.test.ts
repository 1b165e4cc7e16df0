import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeliveryState } from '../../../src/domains/notifications/delivery/delivery.state.js';
import { AlertCause } from '../../../src/domains/reminders/alert/alert.cause.js';
import { AlertState } from '../../../src/domains/reminders/alert/alert.state.js';
import { DoseAnswer } from '../../../src/domains/reminders/dose/dose.answer.js';
import { projectRoot } from '../../../src/platform/root.js';
import { onBoth } from '../../faults/databases.js';

const CHECKS = {
  reminder_alert_state: Object.values(AlertState),
  reminder_alert_cause: Object.values(AlertCause),
  dose_answer: Object.values(DoseAnswer),
};

onBoth(
  'the database allows the states, causes and answers of the enums, and no others',
  async (database) => {
    for (const [name, values] of Object.entries(CHECKS)) {
      const [check] = await database.query<{ text: string }>(
        'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1',
        [name],
      );
      const allowed = [...(check?.text ?? '').matchAll(/'(\w+)'/g)].map(([, value]) => value);
      expect(allowed.sort(), name).toStrictEqual([...values].sort());
    }
  },
);

/** What SQL may compare these columns with. Notifications are planned or queued. */
const COLUMNS = new Map<string, ReadonlySet<string>>([
  ['state', new Set([...Object.values(AlertState), ...Object.values(DeliveryState), 'queued'])],
  ['cause', new Set(Object.values(AlertCause))],
  ['answer', new Set(Object.values(DoseAnswer))],
]);
const COMPARED = /\b(state|cause|answer)\s*(?:=|<>|(?:NOT )?IN)\s*(\(?'\w+'(?:,\s*'\w+')*)/g;

/** The literals with which the SQL of a domain compares these columns, with their files. */
function literalsOf(domain: string): { column: string; value: string; file: string }[] {
  const folder = join(projectRoot, 'src', 'domains', domain);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => /\.(service|sql)\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(COMPARED)].flatMap(
        ([, column = '', list = '']) =>
          [...list.matchAll(/'(\w+)'/g)].map(([, value = '']) => ({ column, value, file })),
      ),
    );
}

test('SQL names no state, cause or answer that the enums do not have', () => {
  const literals = ['reminders', 'dispatch', 'notifications'].flatMap(literalsOf);
  expect(literals.length, `found ${literals.length}`).toBeGreaterThan(40);
  const unknown = literals.filter(({ column, value }) => !COLUMNS.get(column)?.has(value));
  expect(unknown).toStrictEqual([]);
});
