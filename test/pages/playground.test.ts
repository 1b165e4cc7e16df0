import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { useService } from '../support/harness.js';

describe('The playground', () => {
  const service = useService();
  const visit = (headers: Record<string, string>) =>
    new Promise<{ encoding: string | undefined; body: Buffer }>((resolve, reject) => {
      const asking = request(`${service().url}/graphql`, { headers: { accept: 'text/html', ...headers } }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) });
      });
      asking.on('error', reject).end();
    });

  it('is compressed for those who ask for it', async () => {
    const packed = await visit({ 'accept-encoding': 'gzip' });
    assert.equal(packed.encoding, 'gzip');
    const plain = await visit({});
    assert.equal(plain.encoding, undefined);
    assert.ok(plain.body.subarray(0, 100).toString().trim().startsWith('<!doctype html>'));
    assert.ok(gunzipSync(packed.body).equals(plain.body));
  });
});
