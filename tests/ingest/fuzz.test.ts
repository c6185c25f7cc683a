import { testDamagedFiles } from './fuzz.ts';

testDamagedFiles({ numRuns: 75 });
