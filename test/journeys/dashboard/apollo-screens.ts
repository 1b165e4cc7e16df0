import { disableFragmentWarnings, gql } from '@apollo/client';
import { apolloClient } from './apollo-client.js';
import type { OpenClient, Shown } from './screens.js';

// Each test has its own fragment of this name.
disableFragmentWarnings();

/** Reads screens with Apollo Client. */
export const openInApollo: OpenClient = async (session, documents) => {
  const { client, close } = apolloClient(session);
  const withFragment = (text = '') =>
    text.includes('...screens_shown') ? gql(`${text} ${documents.fragment}`) : gql(text);
  const query = withFragment(documents.query);
  await client.query({ query });
  return {
    shown: () => {
      const data = client.readQuery<Shown>({ query });
      if (!data) throw new Error('The cache lacks something of the screens.');
      return data;
    },
    change: async (name, input) => {
      const mutation = withFragment(documents.changes[name]);
      const { data } = await client.mutate<Shown>({ mutation, variables: { input } });
      return data[name];
    },
    ask: async (name) => {
      const { data } = await client.query<Shown>({
        query: withFragment(documents.questions[name]),
      });
      return data;
    },
    close,
  };
};
