import type { KnowledgeBackend } from './knowledge/backend.ts';
import { testChunks } from './knowledge/chunks.ts';
import { testDocuments } from './knowledge/documents.ts';
import { testFilters } from './knowledge/filters.ts';
import { testJobs } from './knowledge/jobs.ts';
import { testLeases } from './knowledge/leases.ts';
import { testRaces } from './knowledge/races.ts';
import { testRandomSteps } from './knowledge/random-steps.ts';
import { testRepeats } from './knowledge/repeats.ts';
import { testSearches } from './knowledge/searches.ts';
import { testTexts } from './knowledge/texts.ts';
import { testVectorStores } from './knowledge/vector-stores.ts';

export function testKnowledgeStore(backend: KnowledgeBackend, randomRuns = 5): void {
  testJobs(backend);
  testLeases(backend);
  testChunks(backend);
  testDocuments(backend);
  testVectorStores(backend);
  testSearches(backend);
  testRepeats(backend);
  testFilters(backend);
  testTexts(backend);
  testRaces(backend);
  testRandomSteps(backend, randomRuns);
}
