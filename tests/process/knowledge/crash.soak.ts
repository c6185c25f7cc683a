import { test } from 'node:test';
import { survivesKnowledgeKills } from './kills.ts';

test('Ingestion: twenty kills over 100,000 rows lose and duplicate no chunk', {
  timeout: 1_200_000,
}, async (t) => {
  await survivesKnowledgeKills(t, 20, 100_000);
});
