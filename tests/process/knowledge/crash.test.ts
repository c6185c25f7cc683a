import { rareTest } from '../../support/rare.ts';
import { survivesKnowledgeKills } from './kills.ts';

rareTest('Ingestion: three kills lose and duplicate no chunk', async (t) => {
  await survivesKnowledgeKills(t, 3, 4_000);
});
