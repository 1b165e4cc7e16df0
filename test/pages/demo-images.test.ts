import { useService } from '../support/harness.js';

describe('The pictures of the demo content', () => {
  const service = useService();
  const get = (name: string) => service().fetch(`/demo/${name}.svg`, {});

  it('are drawings', async () => {
    const { status, headers, text } = await get('pillbox');
    expect([status, headers.get('content-type')]).toStrictEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    expect(text).toMatch(/^<svg [^>]*>.*<\/svg>$/);
  });

  it('are only those that there are, whatever every object has', async () => {
    for (const name of ['nothing', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect((await get(name)).status, name).toBe(404);
  });
});
