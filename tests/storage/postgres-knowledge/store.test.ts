import { testKnowledgeStore } from '../../contracts/knowledge-store.ts';
import { whyNoPostgres } from '../../support/postgres.ts';
import { postgresKnowledge } from './backend.ts';

// What needs vectors runs on PGlite: the server of the tests has no pgvector.
if (!whyNoPostgres()) testKnowledgeStore(postgresKnowledge());
