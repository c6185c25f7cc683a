import { testRandomSteps } from '../../../contracts/knowledge/random-steps.ts';
import { sqliteKnowledge } from './backend.ts';

testRandomSteps(sqliteKnowledge, 150);
