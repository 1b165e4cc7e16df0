// The light runner, with worker processes also where there is but one worker.
import LightRunner from 'jest-light-runner/child-process';

export default class Runner extends LightRunner {
  constructor(...args) {
    super(...args);
    this._runtime = 'child_process';
  }
}
