// A reporter that writes the processor time of each file of tests to the file TEST_COSTS, as JSON.
import { writeFileSync } from 'node:fs';

export default class Costs {
  #seconds = {};

  onTestResult({ path }, { cpuSeconds }) {
    if (cpuSeconds !== undefined) this.#seconds[path] = cpuSeconds;
  }

  onRunComplete() {
    writeFileSync(process.env.TEST_COSTS, JSON.stringify(this.#seconds));
  }
}
