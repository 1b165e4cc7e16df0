import { useService } from '../../support/harness.js';

const service = useService();

describe('Autovacuum', () => {
  it('comes to the tables that jobs take work from long before a fifth of their rows changed', async () => {
    const rows = await service().database.query<{ table: string; factor: number }>(`
      SELECT relname AS table, (SELECT option_value::float8 FROM pg_options_to_table(reloptions)
        WHERE option_name = 'autovacuum_vacuum_scale_factor') AS factor
      FROM pg_class WHERE relname IN ('reminder_alert', 'notification', 'delivery', 'outgoing_mail',
        'report_due', 'report_change', 'report_stale') AND relkind = 'r' ORDER BY 1`);
    expect(Object.fromEntries(rows.map(({ table, factor }) => [table, factor]))).toStrictEqual({
      delivery: 0.01,
      notification: 0.01,
      outgoing_mail: 0.01,
      reminder_alert: 0.01,
      report_change: 0,
      report_due: 0,
      report_stale: 0,
    });
  });
});
