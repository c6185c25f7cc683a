import { test } from 'node:test';
import { survivesKnowledgeKills } from './kills.ts';

test('twenty kills while 100,000 rows are ingested lose no chunk and double none', {
  timeout: 1_200_000,
}, async (t) => {
  await survivesKnowledgeKills(t, 20, 100_000);
});
