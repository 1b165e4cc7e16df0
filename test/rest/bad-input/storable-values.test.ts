import { useService } from '../../support/harness.js';
import { form } from '../wire.js';

describe('Ids beyond what can be stored', () => {
  const service = useService();
  const HUGE = [
    '2147483648',
    '9007199254740993',
    '99999999999999999999',
    '-2147483648',
    '-99999999999999999999',
    '1e300',
  ];

  for (const id of HUGE) {
    it(`are unknown ones: ${id}`, async () => {
      await service().post();
      for (const name of [
        'include',
        'author',
        'slug',
        'categories',
        'tags',
        'categories[terms]',
        'parent',
      ]) {
        const { status, body } = await service().rest('GET', '/v1/posts', {
          query: { [name]: id },
        });
        expect(status, `${status} for ${name}`).toBe(200);
        expect(
          body.map(({ id: shown }: { id: number }) => shown),
          name,
        ).toStrictEqual(name === 'parent' ? [1] : []);
      }
      for (const name of [
        'exclude',
        'author_exclude',
        'categories_exclude',
        'tags_exclude[terms]',
      ]) {
        expect(
          (await service().rest('GET', '/v1/posts', { query: { [name]: id } })).body.length,
          name,
        ).toBe(1);
      }
    });

    it(`are beyond every page and offset: ${id}`, async () => {
      await service().post();
      const offset = await service().rest('GET', '/v1/posts', { query: { offset: id } });
      expect([offset.status, offset.body]).toStrictEqual([200, []]);
      const page = await service().rest('GET', '/v1/posts', { query: { page: id } });
      const code = id.startsWith('-') ? 'rest_invalid_param' : 'rest_post_invalid_page_number';
      expect([page.status, page.body.code]).toStrictEqual([400, code]);
    });

    it(`are nobody and nothing in a write: ${id}`, async () => {
      const write = async (body: object) => {
        const answer = await service().rest('POST', '/v1/posts', {
          as: 'editor',
          body: { title: 'T', ...body },
        });
        return [
          answer.status,
          answer.body.code ?? [
            answer.body.categories,
            answer.body.tags,
            answer.body.featured_media,
          ],
        ];
      };
      for (const value of [id, Number(id)]) {
        expect(await write({ author: value })).toStrictEqual([400, 'rest_invalid_author']);
        expect(
          await write({ categories: [value], tags: [value, 1], featured_media: value }),
        ).toStrictEqual([201, [[], [], 0]]);
      }
    });
  }
});

describe('Times beyond what can be stored', () => {
  const service = useService();
  const ENDS = [
    '9999-12-31T23:59:59-14:00',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00',
    '0000-01-01T00:00:00',
  ];

  for (const time of ENDS) {
    it(`are a time or no time in a list: ${time}`, async () => {
      for (const name of ['after', 'before', 'modified_after', 'modified_before']) {
        const { status } = await service().rest('GET', '/v1/posts', { query: { [name]: time } });
        expect(status === 200 || status === 400, `${status} for ${name}`).toBe(true);
      }
    });

    it(`are stored so that they can be read, or not at all: ${time}`, async () => {
      for (const name of ['date', 'date_gmt']) {
        const made = await service().rest('POST', '/v1/posts', {
          as: 'editor',
          body: { title: 'T', status: 'publish', [name]: time },
        });
        expect(made.status === 201 || made.status === 400, `${made.status} for ${name}`).toBe(true);
        const list = await service().rest('GET', '/v1/posts', {
          as: 'editor',
          query: 'status=any&context=edit',
        });
        expect(list.status).toBe(200);
        if (made.status === 400) expect(list.body).toStrictEqual([]);
        else
          await service().rest('DELETE', `/v1/posts/${made.body.id}`, {
            as: 'editor',
            query: 'force=true',
          });
      }
    });
  }
});

describe('NUL', () => {
  const service = useService();
  const fine = (status: number, name: string, allowed: readonly number[]) =>
    expect(allowed, `${status} for ${name}`).toContain(status);

  it('in any parameter of a list is refused or finds nothing', async () => {
    const names = [
      'search',
      'slug',
      'password',
      'status',
      'after',
      'include',
      'order',
      'categories',
      'format',
      '_fields',
      '_embed',
      '_envelope',
      'context',
      'search_columns',
      'nonsense',
    ];
    for (const name of names) {
      for (const value of ['\0', 'a\0b'])
        fine(
          (await service().rest('GET', '/v1/posts', { query: { [name]: value } })).status,
          name,
          [200, 400],
        );
      fine(
        (await service().rest('GET', '/v1/posts', { query: { [`${name}[]`]: 'a\0b' } })).status,
        name,
        [200, 400],
      );
      fine(
        (await service().rest('GET', '/v1/posts', { query: { [`${name}\0`]: 'x' } })).status,
        name,
        [200],
      );
    }
  });

  it('in any field of a post is refused, or ignored where it is no text', async () => {
    const names = [
      'title',
      'content',
      'excerpt',
      'slug',
      'password',
      'template',
      'status',
      'format',
      'date',
    ];
    for (const name of names) {
      const { status, body } = await service().rest('POST', '/v1/posts', {
        as: 'editor',
        body: { title: 'T', [name]: 'a\0b' },
      });
      expect([status, body.code, Object.keys(body.data?.params ?? {})]).toStrictEqual([
        400,
        'rest_invalid_param',
        [name],
      ]);
    }
    const meta = { footnotes: 'a\0b' };
    expect(
      (await service().rest('POST', '/v1/posts', { as: 'editor', body: { title: 'T', meta } }))
        .status,
    ).toBe(400);
    expect(
      (
        await service().rest('POST', '/v1/posts', {
          as: 'editor',
          raw: 'title=a%00b',
          headers: form,
        })
      ).status,
    ).toBe(400);
  });

  it('in the name or the password of a sign-in is a wrong one', async () => {
    for (const body of [
      { username: 'a\0b', password: 'x' },
      { username: 'a', password: '\0' },
    ]) {
      fine(
        (await service().rest('POST', '/v1/login', { body })).status,
        JSON.stringify(body),
        [400, 401],
      );
    }
  });

  it('in a path names no route', async () => {
    for (const path of ['/v1/posts/%00', '/v1/posts%00', '/v1/posts/1%00', '/%00']) {
      expect((await service().rest('GET', path)).status, path).toBe(404);
    }
  });
});
