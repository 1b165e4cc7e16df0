import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { keys, schema } from './generated/apollo/urql-cache.js';
import type { OpenClient, Shown } from './screens.js';

/** Reads screens with urql and its normalized cache. */
export const openInUrql: OpenClient = async (session, documents) => {
  const client = new Client({
    url: `${session.url}/graphql`,
    fetch: session.fetch,
    fetchOptions: () => ({ headers: session.headers }),
    preferGetMethod: false,
    exchanges: [cacheExchange({ schema, keys }), fetchExchange],
  });
  const withFragment = (text = '') =>
    text.includes('...screens_shown') ? `${text} ${documents.fragment}` : text;
  const query = withFragment(documents.query);
  const known = async (answer: PromiseLike<{ data?: Shown; error?: Error }>): Promise<Shown> => {
    const { data, error } = await answer;
    if (error) throw error;
    return data;
  };
  await known(client.query(query, {}));
  return {
    shown: () => {
      const read = client.readQuery<Shown>(query, {}, { requestPolicy: 'cache-only' });
      if (!read?.data || read.stale) throw new Error('The cache lacks something of the screens.');
      return read.data;
    },
    change: async (name, input) =>
      (await known(client.mutation(withFragment(documents.changes[name]), { input })))[name],
    ask: (name) => known(client.query(documents.questions[name] as string, {})),
    close: () => {},
  };
};
