import { testDamagedFiles } from './fuzz.ts';

const FIVE_MINUTES = 300_000;

testDamagedFiles({ numRuns: 10_000_000, interruptAfterTimeLimit: FIVE_MINUTES });
