import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEAST_BYTES, processMemory, refuseTooLittle } from '../../src/memory/budget.ts';

const MEGABYTE = 1024 * 1024;
const MACHINE = 24_000 * MEGABYTE;

const inContainer = (megabytes: number, setting: number | null = null) =>
  processMemory(setting, { container: { limit: megabytes * MEGABYTE, used: () => 1 }, machine: MACHINE });
const onMachine = (megabytes: number, setting: number | null = null) =>
  processMemory(setting, { container: null, machine: megabytes * MEGABYTE });

test('processMemory: half of a machine up to 1 GB, which nothing guards', () => {
  const { bytes, share, limitedBy, keptColumnBytes } = onMachine(24_000);
  assert.deepEqual([bytes, share, limitedBy], [1_024 * MEGABYTE, 1, null]);
  assert.equal(keptColumnBytes, 96 * MEGABYTE);
  assert.equal(onMachine(1_000).bytes, 500 * MEGABYTE);
});

test('processMemory: the limit of the container, or a lower one that is set', () => {
  const container = inContainer(512);
  assert.deepEqual([container.bytes, container.limitedBy], [512 * MEGABYTE, 'the limit of the container']);
  assert.equal(container.used(), 1);
  const set = inContainer(512, 300 * MEGABYTE);
  assert.deepEqual([set.bytes, set.limitedBy], [300 * MEGABYTE, 'AGENT_RUNTIME_MEMORY']);
  assert.ok(set.used() > MEGABYTE, 'of this process');
  assert.equal(inContainer(512, 2_000 * MEGABYTE).bytes, 512 * MEGABYTE);
  assert.equal(onMachine(24_000, 2_000 * MEGABYTE).bytes, 2_000 * MEGABYTE);
});

test('processMemory: shares grow with the limit, from nothing to their full size', () => {
  const shares = [100, 128, 256, 512, 768, 1_024, 4_096].map((megabytes) => inContainer(megabytes).share);
  assert.deepEqual(shares, shares.toSorted());
  assert.deepEqual([shares[1], shares[5], shares[6]], [0, 1, 1]);
  assert.ok(shares.every((share) => share >= 0));
});

test('refuseTooLittle: names who limits, what there is and what is needed', () => {
  refuseTooLittle(inContainer(256));
  refuseTooLittle(onMachine(128));
  const error = {
    code: 'invalid',
    message: new RegExp(`the limit of the container is 134 MB.*at least ${LEAST_BYTES / 1e6}. Raise it`),
  };
  assert.throws(() => refuseTooLittle(inContainer(128)), error);
});
