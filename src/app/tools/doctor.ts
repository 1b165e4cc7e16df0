import { examine } from '../doctor/doctor.js';
import type { State } from '../doctor/finding.js';
import type { Output } from './audit.js';

/** How a line begins. */
const SIGNS: Readonly<Record<State, string>> = {
  ok: 'ok   ',
  note: 'note ',
  wrong: 'WRONG',
  unused: '-    ',
};

/**
 * Runs `npm run doctor`: says a line for each part of what the environment configures. Returns the
 * exit code: 1 when anything is wrong.
 */
export async function doctorTool(
  environment: NodeJS.ProcessEnv,
  { say }: Pick<Output, 'say'>,
): Promise<number> {
  let faults = 0;
  for await (const { what, state, sentence } of examine(environment)) {
    if (state === 'wrong') faults++;
    say(`${SIGNS[state]} ${what}: ${sentence}`);
  }
  say(faults === 0 ? 'Nothing is wrong.' : `${faults} ${faults === 1 ? 'thing is' : 'are'} wrong.`);
  return faults === 0 ? 0 : 1;
}
