import { test } from 'node:test';
import { NAMES, permutations, runRound, sharedDirectory } from './sharing-rounds.ts';

test('Ownership: processes start and die in every order and by either signal', async (t) => {
  const shared = await sharedDirectory(t);
  for (const firstSignal of ['SIGKILL', 'SIGTERM'] as const) {
    for (const starts of permutations(NAMES)) {
      for (const deaths of permutations(NAMES)) {
        const name = `${starts.join(', ')} start; ${deaths.join(', ')} die, the first of ${firstSignal}`;
        await t.test(name, { timeout: 60_000 }, (t) => runRound(t, shared, { starts, deaths, firstSignal }));
      }
    }
  }
});
