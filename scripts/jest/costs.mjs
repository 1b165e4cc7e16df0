// A reporter that writes what each file of tests costs to the file TEST_COSTS, as JSON.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

export default class Costs {
  #costs = {};

  onTestResult({ path, context }, { cost }) {
    const [root] = context.config.roots;
    const name = relative(root, path).replace(/^test\/|\.test\.js$/g, '');
    if (cost) this.#costs[name] = cost;
  }

  onRunComplete() {
    writeFileSync(process.env.TEST_COSTS, JSON.stringify(this.#costs));
  }
}
