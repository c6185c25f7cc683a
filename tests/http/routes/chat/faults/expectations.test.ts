import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatRequestSchema } from '../../../../../src/core/agents/chat/schema.ts';
import type { Outcome } from '../../../../support/upstream/outcomes.ts';
import { type Step, stepsOf } from '../../../../support/upstream/steps.ts';
import { type Endpoint, endpointOf } from '../../../../support/upstream/vendors.ts';
import { EXPECTATIONS } from './expectations.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { bodyFor, TESTED, type Tested, vendorOf } from './providers.ts';

/** The address that the vendor's SDK calls. */
const PATHS: Record<Tested, string> = {
  openai: '/v1/responses',
  'openai-legacy': '/v1/chat/completions',
  anthropic: '/v1/messages',
  bedrock: '/model/nova/converse-stream',
  groq: '/openai/v1/chat/completions',
  gemini: '/v1beta/models/gemini:streamGenerateContent?alt=sse',
  xai: '/xai/v1/chat/completions',
  custom: '/custom/v1/chat/completions',
};

function stepsFor(provider: Tested, outcome: Outcome): Step[] {
  const { protocol, vendor }: Endpoint = endpointOf(PATHS[provider]) ?? assert.fail(PATHS[provider]);
  assert.equal(vendor, vendorOf(provider));
  const exchange = { vendor, model: 'm', number: 1, requestId: null, wantsUsage: true };
  return [...stepsOf(outcome, protocol, exchange)];
}

test('fault table: every fault has an expectation', () => {
  const expected = new Set(Object.values(EXPECTATIONS).flatMap((cells) => Object.keys(cells)));
  assert.deepEqual(
    Object.keys(FAULTS).filter((fault) => !expected.has(fault)),
    [],
  );
});

test('fault table: every cell is a fault that the provider can have', () => {
  for (const provider of TESTED) {
    for (const fault of Object.keys(EXPECTATIONS[provider]) as FaultName[]) {
      for (const outcome of FAULTS[fault]) stepsFor(provider, outcome);
    }
  }
});

test('fault table: a fault within the stream waits for the first text to be read', () => {
  for (const provider of TESTED) {
    for (const [fault, cell] of Object.entries(EXPECTATIONS[provider])) {
      if (cell.complete) continue;
      const [outcome = {}] = FAULTS[fault as FaultName] as Outcome[];
      const types = stepsFor(provider, outcome).map(({ type }) => type);
      assert.equal(types.filter((type) => type === 'hold').length, 1, `${provider} ${fault}`);
    }
  }
});

test('fault table: its requests are valid', () => {
  for (const provider of TESTED) assert.deepEqual(chatRequestSchema.parse(bodyFor(provider)), bodyFor(provider));
});
