import { testKnowledgeStore } from '../../../contracts/knowledge-store.ts';
import { pgliteKnowledge } from './backend.ts';

testKnowledgeStore(pgliteKnowledge('everything'), 50);
