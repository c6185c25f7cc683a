import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bootstrapInterval } from '../../../../src/core/agents/assessments/bootstrap.ts';
import { kappaOf, nominal, quadratic, Tally, type Weight } from '../../../../src/core/agents/assessments/kappa.ts';
import { randomNumbers } from '../../../support/random.ts';
import { type Item, itemsOfCounts, itemsOfTable, plainInterval, referenceKappa } from './reference.ts';

function tallied(items: readonly Item[], categories: number, weight: Weight = nominal) {
  const tally = new Tally(weight);
  for (const item of items) tally.add(item);
  const result = tally.result();
  const times = result.patterns.map((pattern) => pattern.times);
  const kappa = (weights: ArrayLike<number>) => kappaOf({ ...result, categories, weight }, weights);
  return { ...result, times, kappa: kappa(times), interval: () => bootstrapInterval(times, kappa, async () => {}) };
}

/** Fleiss 1971, table 1: six psychiatrists; depression, personality disorder, schizophrenia, neurosis, other. */
const PSYCHIATRISTS = [
  [0, 0, 0, 6, 0],
  [0, 3, 0, 0, 3],
  [0, 1, 4, 0, 1],
  [0, 0, 0, 0, 6],
  [0, 3, 0, 3, 0],
  [2, 0, 4, 0, 0],
  [0, 0, 4, 0, 2],
  [2, 0, 3, 1, 0],
  [2, 0, 0, 4, 0],
  [0, 0, 0, 0, 6],
  [1, 0, 0, 5, 0],
  [1, 1, 0, 4, 0],
  [0, 3, 3, 0, 0],
  [1, 0, 0, 5, 0],
  [0, 2, 0, 3, 1],
  [0, 0, 5, 0, 1],
  [3, 0, 0, 1, 2],
  [5, 1, 0, 0, 0],
  [0, 2, 0, 4, 0],
  [1, 0, 2, 0, 3],
  [0, 0, 0, 0, 6],
  [0, 1, 0, 5, 0],
  [0, 2, 0, 1, 3],
  [2, 0, 0, 4, 0],
  [1, 0, 0, 4, 1],
  [0, 5, 0, 1, 0],
  [4, 0, 0, 0, 2],
  [0, 2, 0, 4, 0],
  [1, 0, 5, 0, 0],
  [0, 0, 0, 0, 6],
];

/** Wikipedia, "Fleiss' kappa": fourteen raters of ten items. */
const FOURTEEN = [
  [0, 0, 0, 0, 14],
  [0, 2, 6, 4, 2],
  [0, 0, 3, 5, 6],
  [0, 3, 9, 2, 0],
  [2, 2, 8, 1, 1],
  [7, 7, 0, 0, 0],
  [3, 2, 6, 3, 0],
  [2, 5, 3, 2, 2],
  [6, 5, 2, 1, 0],
  [0, 2, 2, 3, 7],
];

/** Cohen 1968, table 1, of 100: two psychiatrists; personality disorder, neurosis, psychosis. */
const TWO_PSYCHIATRISTS = [
  [44, 7, 9],
  [5, 20, 5],
  [1, 3, 6],
];

/** Fleiss, Cohen and Everitt 1969, table 1. Kappa has the standard error 0.054. */
const LARGE_SAMPLE = [
  [106, 10, 4],
  [22, 28, 10],
  [2, 12, 6],
];

test('kappa: examples of Fleiss 1971 and of Wikipedia have the published values', () => {
  const fleiss = tallied(itemsOfCounts(PSYCHIATRISTS), 5);
  assert.equal(fleiss.kappa.toFixed(3), '0.430');
  assert.equal(fleiss.raw!.toFixed(3), '0.556');
  assert.deepEqual([fleiss.coefficient, fleiss.items, fleiss.assessors], ['fleiss', 30, 6]);
  const fourteen = tallied(itemsOfCounts(FOURTEEN), 5);
  assert.equal(fourteen.kappa.toFixed(3), '0.210');
  assert.equal(fourteen.raw!.toFixed(3), '0.378');
});

test('kappa: examples of Cohen and of Wikipedia have the published values', () => {
  const grants = tallied(
    itemsOfTable([
      [20, 5],
      [10, 15],
    ]),
    2,
  );
  assert.equal(grants.kappa.toFixed(3), '0.400');
  assert.deepEqual([grants.coefficient, grants.raw, grants.items, grants.assessors], ['cohen', 0.7, 50, 2]);
  assert.equal(tallied(itemsOfTable(TWO_PSYCHIATRISTS), 3).kappa.toFixed(3), '0.492');
  assert.equal(tallied(itemsOfTable(LARGE_SAMPLE), 3).kappa.toFixed(3), '0.429');
  // Cohen's own disagreements, of which 6 is the largest.
  const disagreements = [
    [0, 1, 3],
    [1, 0, 6],
    [3, 6, 0],
  ];
  const weight: Weight = (one, other) => 1 - disagreements[one]![other]! / 6;
  assert.equal(tallied(itemsOfTable(TWO_PSYCHIATRISTS), 3, weight).kappa.toFixed(3), '0.348');
});

const item = (categories: number) =>
  fc
    .dictionary(fc.constantFrom('ada', 'bob', 'eve', 'zoe'), fc.nat(categories - 1))
    .map((answers): Item => new Map(Object.entries(answers)));
const pairs = (categories: number) =>
  fc.tuple(fc.nat(categories - 1), fc.nat(categories - 1)).map(
    ([ada, bob]): Item =>
      new Map([
        ['bob', bob],
        ['ada', ada],
      ]),
  );

test('kappa: a second implementation agrees, for any answers of any assessors', () => {
  for (const [categories, weight] of [
    [2, nominal],
    [4, nominal],
    [5, quadratic(5)],
  ] as const) {
    const items = fc.array(fc.oneof(item(categories), pairs(categories)), { minLength: 2, maxLength: 20 });
    const ofTwo = fc.array(pairs(categories), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(fc.oneof(items, ofTwo), (given) => {
        const found = tallied(given, categories, weight);
        assert.equal(found.items, given.filter(({ size }) => size >= 2).length);
        assert.equal(found.raw === null, found.items === 0);
        if (found.items === 0 || found.chosen < 2) return;
        const expected = referenceKappa(given, weight);
        assert.ok(Math.abs(found.kappa - expected) < 1e-9, `${found.kappa} is not ${expected}`);
      }),
      { numRuns: 200 },
    );
  }
});

test('kappa: complete agreement is 1, with an interval of 1 alone', async () => {
  for (const items of [
    itemsOfTable([
      [7, 0],
      [0, 5],
    ]),
    itemsOfCounts([
      [3, 0],
      [0, 3],
      [4, 0],
      [0, 2],
    ]),
  ]) {
    const { kappa, raw, interval } = tallied(items, 2);
    assert.deepEqual([kappa, raw, await interval()], [1, 1, { low: 1, high: 1 }]);
  }
  const scale = tallied(
    itemsOfTable([
      [2, 0, 0],
      [0, 3, 0],
      [0, 0, 4],
    ]),
    3,
    quadratic(3),
  );
  assert.deepEqual([scale.kappa, await scale.interval()], [1, { low: 1, high: 1 }]);
});

test('kappa: answers by chance are 0, within the interval', async () => {
  const independent = tallied(
    itemsOfTable([
      [9, 21],
      [21, 49],
    ]),
    2,
  );
  assert.ok(Math.abs(independent.kappa) < 1e-12);
  assert.equal(independent.raw!.toFixed(2), '0.58');
  const near = tallied(itemsOfTable(Array.from({ length: 5 }, () => [4, 4, 4, 4, 4])), 5, quadratic(5));
  assert.ok(Math.abs(near.kappa) < 1e-12);
  for (const { interval } of [independent, near]) {
    const { low, high } = await interval();
    assert.ok(low < 0 && high > 0 && high - low < 0.5, `${low} to ${high}`);
  }
});

test('kappa: near answers on a scale count for more than far ones', () => {
  const near = itemsOfTable([
    [5, 3, 0],
    [3, 5, 3],
    [0, 3, 5],
  ]);
  const far = itemsOfTable([
    [5, 0, 3],
    [3, 5, 3],
    [3, 0, 5],
  ]);
  const [nearly, hardly] = [tallied(near, 3, quadratic(3)), tallied(far, 3, quadratic(3))];
  assert.ok(nearly.kappa > tallied(near, 3).kappa);
  assert.ok(hardly.kappa < nearly.kappa);
});

test('interval: it lies where theory and the plain bootstrap say, every time', async () => {
  const items = itemsOfTable(LARGE_SAMPLE);
  const { kappa, interval } = tallied(items, 3);
  const { low, high } = await interval();
  assert.deepEqual(await interval(), { low, high });
  const [expectedLow, expectedHigh] = [kappa - 1.96 * 0.054, kappa + 1.96 * 0.054];
  assert.ok(Math.abs(low - expectedLow) < 0.015 && Math.abs(high - expectedHigh) < 0.015, `${low} to ${high}`);
  const few = itemsOfCounts(PSYCHIATRISTS);
  const [ofFew, plain] = [await tallied(few, 5).interval(), plainInterval(few, nominal, randomNumbers(5))];
  assert.ok(Math.abs(ofFew.low - plain[0]) < 0.04 && Math.abs(ofFew.high - plain[1]) < 0.04, `${ofFew.low}, ${plain}`);
});

test('interval: about 95 of 100 samples have the true kappa in theirs', async () => {
  const random = randomNumbers(7);
  // Each knows the answer with probability 0.8, else guesses: kappa is 0.64 where yes and no are as frequent.
  const answer = (truth: number) => (random() < 0.8 ? truth : random() < 0.5 ? 1 : 0);
  let covered = 0;
  for (let sample = 0; sample < 200; sample++) {
    const items = Array.from({ length: 80 }, (): Item => {
      const truth = random() < 0.5 ? 1 : 0;
      return new Map([
        ['ada', answer(truth)],
        ['bob', answer(truth)],
      ]);
    });
    const { low, high } = await tallied(items, 2).interval();
    if (low <= 0.64 && high >= 0.64) covered += 1;
  }
  assert.ok(covered >= 180 && covered <= 198, `${covered} of 200`);
});
