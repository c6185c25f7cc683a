import { testLives } from '../contracts/knowledge/lives.ts';
import { sqliteKnowledge } from './knowledge-backend.ts';

testLives(sqliteKnowledge, 150);
