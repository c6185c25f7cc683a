import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { WorkerPool } from '../../src/workers/pool.ts';
import { temporaryDirectory } from '../support/app.ts';
import { assertGolden, type GoldenCase, goldenCases, goldenFolder, goldenOutputs } from '../support/golden-folder.ts';
import { rareTest } from '../support/rare.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { read, readerOfSlices } from './reading.ts';

const wholeFile = scopeOfThisFile();
const CASES = goldenCases();

const folder = temporaryDirectory(wholeFile);
cpSync(goldenFolder, folder, { recursive: true });
const pathOf = ({ file }: GoldenCase): string => join(folder, file);

const pool = new WorkerPool({ threads: 2 });
wholeFile.after(() => pool.close());

/** Concurrently: documents must not affect each other. */
const outcomes = new Map(CASES.map((one) => [one.name, read(pool, pathOf(one), one.options)]));

for (const { name } of CASES) {
  test(`${name}: gives the reviewed chunks`, async () => assertGolden(name, await outcomes.get(name)!));
}

test('golden files: every reviewed outcome belongs to an input file', () => {
  const names = new Set(CASES.map(({ name }) => name));
  assert.deepEqual(
    goldenOutputs().filter((name) => !names.has(name)),
    [],
  );
});

rareTest('golden files: reading in slices gives the same chunks', async () => {
  for (const one of CASES) {
    const whole = await outcomes.get(one.name)!;
    for (const enough of [1, 7]) {
      const inSlices = await read(readerOfSlices(enough), pathOf(one), one.options);
      assert.deepEqual(inSlices, whole, `${one.name}, ${enough} at once`);
    }
  }
});
