import { testKnowledgeStore } from '../../../contracts/knowledge-store.ts';
import { sqliteKnowledge } from './backend.ts';

testKnowledgeStore(sqliteKnowledge);
