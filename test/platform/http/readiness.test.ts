import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Readiness } from '../../../src/platform/http/readiness.js';
import { useService } from '../../support/harness.js';

describe('GET /readyz', () => {
  const service = useService();
  const look = async () => {
    const { status, body } = await service().fetch('/readyz', {});
    return [status, body];
  };

  it('answers 503 with the reasons by name while a condition is not met, and 200 again afterwards', async () => {
    const { readiness, database } = service().app.deps;
    assert.deepEqual(await look(), [200, { status: 'ok', database: database.kind }]);
    readiness.require('disk', () => 'The disk is full.');
    const reasons = { disk: 'The disk is full.' };
    assert.deepEqual(await look(), [
      503,
      { status: 'unavailable', database: database.kind, reasons },
    ]);
    readiness.drop('disk');
    assert.deepEqual(await look(), [200, { status: 'ok', database: database.kind }]);
  });

  it('takes a condition that fails for one that is not met, and tells nothing of why', async () => {
    const readiness = new Readiness();
    readiness.require('clock', () => Promise.reject(new Error('postgres://user:secret@host')));
    assert.deepEqual(await readiness.reasons(), { clock: 'It could not be found out.' });
  });
});
