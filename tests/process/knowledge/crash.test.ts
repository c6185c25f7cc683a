import { test } from 'node:test';
import { survivesKnowledgeKills } from './kills.ts';

test('Ingestion: three kills lose and duplicate no chunk', { timeout: 120_000 }, async (t) => {
  await survivesKnowledgeKills(t, 3, 4_000);
});
