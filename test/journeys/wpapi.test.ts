// @ts-expect-error: the client brings no types.
import untyped from 'wpapi';
import { useService } from '../support/harness.js';

interface Post {
  id: number;
  status: string;
  title: { raw?: string; rendered: string };
  content: { raw?: string; rendered: string };
  deleted?: boolean;
  previous?: Post;
  _embedded?: { author: { name: string }[] };
}

type Page = Post[] & {
  _paging?: { total: number; totalPages: number; next?: Posts; prev?: Posts };
};

/** A request of the client for posts, as far as it is used here. */
interface Posts {
  id(id: number): Posts;
  perPage(size: number): Posts;
  page(page: number): Posts;
  search(words: string): Posts;
  slug(slug: string): Posts;
  categories(ids: number[]): Posts;
  status(status: string): Posts;
  param(name: string, value: unknown): Posts;
  embed(): Posts;
  auth(credentials: { username: string; password: string }): Posts;
  get(): Promise<Page>;
  headers(): Promise<Record<string, string>>;
  create(fields: object): Promise<Post>;
  update(fields: object): Promise<Post>;
  delete(query?: object): Promise<Post>;
}

interface Site {
  auth(credentials: { username: string; password: string }): Site;
  namespace(name: string): { posts(): Posts };
  root(): { get(): Promise<{ url: string; namespaces: string[] }> };
}

const WPAPI: { discover(url: string): Promise<Site> } = untyped;

for (const [edition, below] of [
  ['A', ''],
  ['B', '/v3'],
] as const) {
  describe(`A client written for the original platform, in edition ${edition}`, () => {
    const service = useService();
    const discover = () => WPAPI.discover(service().url + below);
    /** Requests of the editor, a new one at each call; a request that is awaited is sent. */
    const ofEditor = async (): Promise<() => Posts> => {
      const { username, password } = await service().account('editor');
      const site = (await discover()).auth({ username, password });
      return () => site.namespace('v1').posts();
    };
    const one = (request: Posts) => request.get() as unknown as Promise<Post>;

    it('finds the API from the root of the site', async () => {
      const site = await discover();
      const { url, namespaces } = await site.root().get();
      expect([url, namespaces.includes('v1')]).toStrictEqual([service().url + below, true]);
      expect([...(await site.namespace('v1').posts().get())]).toStrictEqual([]);
    });

    it('creates, reads, updates, bins and deletes a post', async () => {
      const posts = await ofEditor();
      const made = await posts().create({ title: 'Made', content: 'Text', status: 'publish' });
      expect([made.title.raw, made.status]).toStrictEqual(['Made', 'publish']);
      expect((await one(posts().id(made.id))).title.rendered).toBe('Made');
      const changed = await posts().id(made.id).update({ title: 'Changed' });
      expect([changed.title.raw, changed.content.raw]).toStrictEqual(['Changed', 'Text']);
      expect((await posts().id(made.id).delete()).status).toBe('trash');
      const gone = await posts().id(made.id).delete({ force: true });
      expect([gone.deleted, gone.previous?.id]).toStrictEqual([true, made.id]);
      await expect(one(posts().id(made.id))).rejects.toMatchObject({
        code: 'rest_post_invalid_id',
      });
    });

    it('reads as the anonymous what is published, and is told so when it may not write', async () => {
      const { id } = await service().post({ title: 'Public' });
      await service().post({ title: 'Draft', status: 'draft' });
      const site = await discover();
      const posts = () => site.namespace('v1').posts();
      expect((await posts().get()).map(({ title }) => title.rendered)).toStrictEqual(['Public']);
      expect((await one(posts().id(id))).title.rendered).toBe('Public');
      await expect(posts().create({ title: 'New' })).rejects.toMatchObject({
        code: 'rest_cannot_create',
      });
    });

    it('pages through a list by its links', async () => {
      const posts = await ofEditor();
      for (let i = 1; i <= 5; i++)
        await service().post({ title: `Post ${i}`, date: `2026-01-0${i}T00:00:00` });
      const seen: string[] = [];
      let page: Page | undefined = await posts().perPage(2).get();
      expect([page._paging?.total, page._paging?.totalPages, page._paging?.prev]).toStrictEqual([
        5,
        3,
        undefined,
      ]);
      while (page) {
        seen.push(...page.map(({ title }) => title.rendered));
        page = await page._paging?.next?.get();
      }
      expect(seen).toStrictEqual(['Post 5', 'Post 4', 'Post 3', 'Post 2', 'Post 1']);
      const last = await posts().perPage(2).page(3).get();
      expect((await last._paging?.prev?.get())?.map(({ title }) => title.rendered)).toStrictEqual([
        'Post 3',
        'Post 2',
      ]);
    });

    it('filters a list, and goes on within the filter', async () => {
      const posts = await ofEditor();
      const category = await service().term('CATEGORY', 'Sleep');
      for (const title of ['Blue one', 'Blue two', 'Red'])
        await service().post({ title, categories: [category] });
      await service().post({ title: 'Blue elsewhere' });
      const first = await posts().search('blue').categories([category]).perPage(1).get();
      const second = await first._paging?.next?.get();
      expect([
        first[0]?.title.rendered,
        second?.[0]?.title.rendered,
        first._paging?.total,
      ]).toStrictEqual(['Blue two', 'Blue one', 2]);
      expect((await posts().slug('red').get()).map(({ title }) => title.rendered)).toStrictEqual([
        'Red',
      ]);
    });

    it('edits drafts, with raw texts', async () => {
      const posts = await ofEditor();
      const made = await posts().create({ title: 'Unfinished & new' });
      const drafts = await posts().status('draft').param('context', 'edit').get();
      expect(drafts.map(({ id, title }) => [id, title.raw])).toStrictEqual([
        [made.id, 'Unfinished & new'],
      ]);
    });

    it('embeds the author', async () => {
      const posts = await ofEditor();
      const { id } = await service().post({}, 'author');
      const post = await one(posts().id(id).embed());
      expect(post._embedded?.author[0]?.name).toBe('The author');
    });

    it('reads headers alone', async () => {
      const posts = await ofEditor();
      await service().post();
      expect((await posts().headers())['x-wp-total']).toBe('1');
    });

    it('sees why something was refused', async () => {
      const posts = await ofEditor();
      const wrong = posts().create({ title: 'T', status: 'nonsense' });
      await expect(wrong).rejects.toSatisfy(
        ({ code, data }) => code === 'rest_invalid_param' && 'status' in data.params,
      );
    });
  });
}
