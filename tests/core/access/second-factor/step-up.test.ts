import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StepUp, type StepUpParts } from '../../../../src/core/access/second-factor/step-up.ts';
import type { Caller } from '../../../../src/core/base/shared/caller.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;

/** Of a user whose session had a second factor at a time; null: never. */
function stepUpAt(secondFactorAt: number | null | undefined, hasFactor = true): StepUp {
  const session = secondFactorAt === undefined ? null : { secondFactorAt };
  const parts = {
    store: { has: async () => hasFactor },
    sessions: { find: async () => session },
    effects: { now: () => NOW },
  };
  return new StepUp(parts as unknown as StepUpParts);
}

const USER = { credential: { kind: 'user', id: 'ada' }, sessionId: 'one' } as Caller;
const KEY = { credential: { kind: 'key', id: 'k' }, userId: 'ada' } as Caller;

const refuses = async (stepUp: StepUp) =>
  assert.rejects(
    stepUp.require(USER),
    (error) => error instanceof RuntimeError && error.code === 'forbidden' && error.maxAge === 600,
  );

test('StepUp: a second factor holds for ten minutes of its session', async () => {
  await stepUpAt(NOW).require(USER);
  await stepUpAt(NOW - 10 * MINUTE + 1).require(USER);
  await refuses(stepUpAt(NOW - 10 * MINUTE));
  await refuses(stepUpAt(null));
  await refuses(stepUpAt(undefined));
});

test('StepUp: a time in the future, as of another clock, holds no longer', async () => {
  await stepUpAt(NOW + 10 * MINUTE - 1).require(USER);
  await refuses(stepUpAt(NOW + 10 * MINUTE));
});

test('StepUp: users without a second factor and API keys pass', async () => {
  await stepUpAt(null, false).require(USER);
  await stepUpAt(null).require(KEY);
});
