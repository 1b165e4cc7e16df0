/** Addresses of the workers, as the build named them; the page has them in a JSON element. */
const addresses = JSON.parse(document.getElementById('care-assets')?.textContent ?? '{}');

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker(_id: string, label: string): Worker {
      const name = label === 'json' || label === 'graphql' ? label : 'editor';
      return new Worker(addresses[`${name}.worker.js`], { name: label, type: 'module' });
    },
  },
});
