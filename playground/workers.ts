import { assets } from './assets.js';

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker(_id: string, label: string): Worker {
      const name = label === 'json' || label === 'graphql' ? label : 'editor';
      return new Worker(assets[`${name}.worker.js`] ?? '', { name: label, type: 'module' });
    },
  },
});
