// The files that take longest begin first, so that no worker is alone with one at the end. Jest
// knows how long files took only where they ran before; a fresh checkout has nothing but their
// sizes.
import Sequencer from '@jest/test-sequencer';
import { PROOFS } from './proofs.mjs';

/** Files that take long though they are short, the longest first. */
const LONG = [
  ...PROOFS,
  'domains/directory/plans',
  'pages/embedded-report',
  'graphql-face/kept-callers',
  'rest/bad-input/kept-callers',
  'rest/shared-address',
];

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const place = LONG.findIndex((name) => path.endsWith(`/test/${name}.test.js`));
      return place < 0 ? LONG.length : place;
    };
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
