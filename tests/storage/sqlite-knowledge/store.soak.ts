import { testLives } from '../../contracts/knowledge/lives.ts';
import { sqliteKnowledge } from './backend.ts';

testLives(sqliteKnowledge, 150);
