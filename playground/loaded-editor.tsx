import { lazy } from 'react';
import { assets } from './assets.js';
import { Loading } from './loading.js';

/**
 * Loads the editor with its styles. It is named by its address: an import that the bundler sees would
 * add its styles to those of the page. Throws when there is no connection.
 */
async function loadEditor() {
  const address = assets['editor.js'] ?? '';
  const [{ Editor }] = await Promise.all([
    import(address) as Promise<typeof import('./editor.js')>,
    loadStyles('editor.css'),
  ]);
  return { default: Editor };
}

const loadStyles = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = assets[name] ?? '';
    link.onload = () => resolve();
    link.onerror = () => reject(new Error(`${name} did not come.`));
    // Before the page's own styles, which change some of these.
    document.head.prepend(link);
  });

const Editor = lazy(loadEditor);

/** The editor of code, which is loaded when it is opened. */
export function LoadedEditor() {
  return (
    <Loading
      failed="The editor could not be loaded. Check the connection, then load this page again."
      waiting="The editor is loading."
    >
      <Editor />
    </Loading>
  );
}
