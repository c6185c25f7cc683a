import { test } from 'node:test';
import { testBreakdown } from '../../../../contracts/questions/breakdown.ts';
import { testCases } from '../../../../contracts/questions/cases.ts';
import { testRetention } from '../../../../contracts/questions/retention.ts';
import { testSegments } from '../../../../contracts/questions/segments.ts';
import { testThreads } from '../../../../contracts/questions/threads.ts';
import { rareTest } from '../../../../support/rare.ts';
import { openStore } from './open-store.ts';

const asked = { name: 'DuckdbEventStore', openStore };

testBreakdown(asked, test);
testCases(asked, test, rareTest);
testRetention(asked, test);
testSegments(asked, test);
testThreads(asked, test);
