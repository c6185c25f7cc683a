import { type TestContext, type TestOptions, test } from 'node:test';

export const IS_SOAK = process.env.SOAK !== undefined;

type Work = (t: TestContext) => Promise<void> | void;

/**
 * A slow test that fails rarely: `npm run test:rare` runs it, `npm test` and CI leave it out. Its
 * subject has a faster, smaller test beside it where that is possible. Five minutes are too long.
 */
export const rareTest = ((title: string, ...given: [Work] | [TestOptions, Work]) => {
  const [options, work] = given.length === 1 ? [{}, given[0]] : given;
  if (IS_SOAK) test.only(title, { timeout: 300_000, ...options }, work);
}) as typeof test;
