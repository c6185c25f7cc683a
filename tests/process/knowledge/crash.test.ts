import { rareTest } from '../../support/rare.ts';
import { survivesKnowledgeKills } from './kills.ts';

rareTest('Ingestion: a kill loses and duplicates no chunk', async (t) => {
  await survivesKnowledgeKills(t, 1, 1_500);
});

rareTest('Ingestion: three kills lose and duplicate no chunk', async (t) => {
  await survivesKnowledgeKills(t, 3, 4_000);
});
