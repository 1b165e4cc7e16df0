import { Readiness } from '../../../src/platform/http/readiness.js';
import { observeReadiness } from '../../../src/platform/http/readiness-metrics.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import { useService } from '../../support/harness.js';

describe('GET /readyz', () => {
  const service = useService();
  const look = async () => {
    const { status, body } = await service().fetch('/readyz', {});
    return [status, body];
  };

  it('answers 503 with the reasons by name while a condition is not met, and 200 again afterwards', async () => {
    const { readiness, database } = service().app.deps;
    expect(await look()).toStrictEqual([200, { status: 'ok', database: database.kind }]);
    readiness.require('disk', () => 'The disk is full.');
    const reasons = { disk: 'The disk is full.' };
    expect(await look()).toStrictEqual([
      503,
      { status: 'unavailable', database: database.kind, reasons },
    ]);
    readiness.drop('disk');
    expect(await look()).toStrictEqual([200, { status: 'ok', database: database.kind }]);
  });

  it('is told by the metrics too, by the names of conditions', async () => {
    const { readiness } = service().app.deps;
    observeReadiness(readiness);
    const told = async () =>
      Object.fromEntries(
        [...(await registry.metrics()).matchAll(/^care_ready{condition="(\w+)"} (\d)$/gm)].map(
          ([, name, value]) => [name, value],
        ),
      );
    let isAsked = false;
    readiness.require('disk', () => {
      isAsked = true;
      return 'The disk is full.';
    });
    const metrics = registry.metrics();
    expect(isAsked, 'what a condition does is not measured with it').toBe(false);
    await metrics;
    expect(await told()).toMatchObject({ clock: '1', database: '1', disk: '0' });
    readiness.drop('disk');
    expect(await told()).not.toHaveProperty('disk');
  });

  it('stays 200 with what is only warned of', async () => {
    const { readiness, database } = service().app.deps;
    readiness.advise('disk', () => 'It is nearly full.');
    expect(await look()).toStrictEqual([
      200,
      { status: 'ok', database: database.kind, warnings: { disk: 'It is nearly full.' } },
    ]);
    readiness.drop('disk');
    expect(await look()).toStrictEqual([200, { status: 'ok', database: database.kind }]);
  });

  it('takes a condition that fails for one that is not met, and tells nothing of why', async () => {
    const readiness = new Readiness();
    readiness.require('clock', () => Promise.reject(new Error('postgres://user:secret@host')));
    expect(await readiness.reasons()).toStrictEqual({ clock: 'It could not be found out.' });
  });
});
