import { useSyncExternalStore } from 'react';

const preference = matchMedia('(prefers-color-scheme: dark)');

/** Whether the page is dark: as GraphiQL's settings say, else as the system does. */
function isDark(): boolean {
  const { classList } = document.body;
  if (classList.contains('graphiql-dark')) return true;
  return !classList.contains('graphiql-light') && preference.matches;
}

function watch(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributeFilter: ['class'] });
  preference.addEventListener('change', changed);
  return () => {
    observer.disconnect();
    preference.removeEventListener('change', changed);
  };
}

export const useDark = (): boolean => useSyncExternalStore(watch, isDark);
