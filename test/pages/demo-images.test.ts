import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService } from '../support/harness.js';

describe('The pictures of the demo content', () => {
  const service = useService();
  const get = (name: string) => service().fetch(`/demo/${name}.svg`, {});

  it('are drawings', async () => {
    const { status, headers, text } = await get('pillbox');
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
    assert.match(text, /^<svg [^>]*>.*<\/svg>$/);
  });

  it('are only those that there are, whatever every object has', async () => {
    for (const name of ['nothing', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])
      assert.equal((await get(name)).status, 404, name);
  });
});
