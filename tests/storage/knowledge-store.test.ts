import { testKnowledgeStore } from '../contracts/knowledge-store.ts';
import { sqliteKnowledge } from './knowledge-backend.ts';

testKnowledgeStore(sqliteKnowledge);
