// The things that the documents of the access tables name.
import type { Harness, RoleName } from '../../support/harness.js';

/** Puts the ids of a world into a document. */
export const fill = (document: string, ids: Readonly<Record<string, unknown>>) =>
  document.replace(/\$(\w+)/g, (_, name: string) => {
    expect(name in ids, `the world has no ${name}`).toBe(true);
    return JSON.stringify(ids[name]);
  });

/**
 * What a document names: things that the editor made for others to reach for, a bystander, and the
 * accounts of the callers.
 */
export async function worldOf(service: Harness, document: string): Promise<Record<string, number>> {
  const make = async (type: string, status = 'publish') => {
    const edition = type === 'healthcare' ? 'B' : 'A';
    const { body } = await service.rest('POST', `/v1/${type}`, {
      as: 'editor',
      edition,
      body: { title: 'x', status },
    });
    return body.id as number;
  };
  const medium = async (attachedToId?: number) => {
    const input = { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg', attachedToId };
    const query =
      'mutation($input: CreateMediaInput!) { createMedia(input: $input) { media { databaseId } } }';
    return (await service.graphql(query, { input }, { as: 'editor' })).body.data.createMedia.media
      .databaseId as number;
  };
  const revision = async () => {
    const path = `/v1/posts/${await make('posts')}`;
    await service.rest('POST', path, { as: 'editor', body: { title: 'y' } });
    return (await service.rest('GET', `${path}/revisions`, { as: 'editor' })).body[0].id as number;
  };
  const account = async (role: RoleName, name?: string) => (await service.account(role, name)).id;
  const makers: Readonly<Record<string, () => Promise<number>>> = {
    published: () => make('posts'),
    draft: () => make('posts', 'draft'),
    page: () => make('pages'),
    healthcare: () => make('healthcare'),
    revision,
    tag: () => service.term('TAG', 'A tag'),
    medium: () => medium(),
    hidden: async () => medium(await make('posts', 'draft')),
    bystander: () => account('subscriber', 'bystander'),
    subscriber: () => account('subscriber'),
    clinician: () => account('clinician'),
    editor: () => account('editor'),
    author: () => account('author'),
  };
  const ids: Record<string, number> = {};
  for (const [, name = ''] of document.matchAll(/\$(\w+)/g))
    ids[name] ??= (await makers[name]?.()) as number;
  // An author is somebody who published.
  if ('editor' in ids) await make('posts');
  return ids;
}
