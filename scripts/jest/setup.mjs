// Before a run of Jest: a name and a folder for what its tests leave behind.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup() {
  process.env.TEST_RUN = `care_test_${process.pid}`;
  process.env.TEST_RUN_DIR = mkdtempSync(join(tmpdir(), 'care-test-'));
}
