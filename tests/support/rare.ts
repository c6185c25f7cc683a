import { test } from 'node:test';

export const IS_SOAK = process.env.SOAK !== undefined;

/**
 * A slow test that fails rarely: `npm run test:rare` runs it, `npm test` and CI leave it out. Its
 * subject has a faster, smaller test beside it where that is possible.
 */
export const rareTest: typeof test = IS_SOAK
  ? (test.only as typeof test)
  : ((() => undefined) as unknown as typeof test);
