import { test } from 'node:test';
import { survivesKills } from './crash-cycles.ts';

test('serve: fifty kills under load lose and duplicate no acknowledged event', { timeout: 600_000 }, async (t) => {
  await survivesKills(t, 50, 1_500);
});
