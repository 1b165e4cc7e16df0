/** Keys below which GraphiQL keeps what was run, with the headers it was run with. */
const RUNS = ['graphiql:queries', 'graphiql:favorites'];

/**
 * What GraphiQL keeps: in the tab, and ended with it. The history keeps no headers, since they hold
 * credentials.
 */
export const tabStorage = {
  get length() {
    return sessionStorage.length;
  },
  getItem: (key: string) => sessionStorage.getItem(key),
  removeItem: (key: string) => sessionStorage.removeItem(key),
  clear: () => sessionStorage.clear(),
  setItem: (key: string, value: string) =>
    sessionStorage.setItem(key, RUNS.includes(key) ? withoutHeaders(value) : value),
};

const withoutHeaders = (text: string): string =>
  JSON.stringify(JSON.parse(text), (key, value) => (key === 'headers' ? undefined : value));
