import { useSyncExternalStore } from 'react';

function watch(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}

/** Says that the browser is offline, and what still works. */
export function Connection() {
  const isOnline = useSyncExternalStore(watch, () => navigator.onLine);
  return (
    <div role="status" className="care-connection">
      {!isOnline &&
        'You are offline. What is on the page stays. Ask again when the connection is back.'}
    </div>
  );
}
