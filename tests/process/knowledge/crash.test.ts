import { test } from 'node:test';
import { survivesKnowledgeKills } from './kills.ts';

test('three kills while files are ingested lose no chunk and double none', { timeout: 120_000 }, async (t) => {
  await survivesKnowledgeKills(t, 3, 4_000);
});
