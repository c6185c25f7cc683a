import { test } from 'node:test';
import { survivesKills } from './crash-cycles.ts';

test('fifty kills under load lose no acknowledged event and double none', { timeout: 600_000 }, async (t) => {
  await survivesKills(t, 50, 1_500);
});
