import { testRaces } from '../../../contracts/knowledge/races.ts';
import { testRandomSteps } from '../../../contracts/knowledge/random-steps.ts';
import { whyNoPostgres } from '../../../support/postgres.ts';
import { postgresKnowledge } from './backend.ts';

if (!whyNoPostgres()) {
  const backend = postgresKnowledge();
  testRandomSteps(backend, 150);
  testRaces(backend, 2_000);
}
