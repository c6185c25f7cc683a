import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signBits } from '../../../../../src/storage/knowledge/sqlite/bits/rotation.ts';
import { numbers } from './support.ts';

test('signBits: vectors differ in a share of their bits that is their angle', () => {
  for (const [dimensions, bits] of [
    [2, 512],
    [384, 512],
    [384, 1_024],
    [1_536, 512],
  ] as const) {
    const write = signBits(dimensions, bits);
    const bitsOf = (vector: Float32Array) => {
      const words = new Uint32Array(bits / 32 + 1);
      write(vector, words, 1);
      assert.equal(words[0], 0);
      return words.subarray(1);
    };
    for (const degrees of [0, 30, 60, 90, 180]) {
      const angle = (degrees / 180) * Math.PI;
      const [first, second] = [new Float32Array(dimensions), new Float32Array(dimensions)];
      first[0] = 3;
      second[0] = Math.cos(angle);
      second[1] = Math.sin(angle);
      const differing = differences(bitsOf(first), bitsOf(second)) / bits;
      assert.ok(Math.abs(differing - degrees / 180) < 0.08, `${dimensions}, ${bits}: ${degrees} degrees: ${differing}`);
    }
  }
});

test('signBits: signs of sparse vectors are as good as those of dense ones', () => {
  const random = numbers(5);
  const write = signBits(1_024, 512);
  const bitsOf = (places: number[]) => {
    const vector = new Float32Array(1_024);
    for (const place of places) vector[place] = 1;
    const words = new Uint32Array(16);
    write(vector, words, 0);
    return words;
  };
  const places = Array.from({ length: 12 }, () => Math.floor(random() * 1_024));
  const apart = differences(bitsOf(places), bitsOf(places.map((place) => (place + 512) % 1_024)));
  const near = differences(bitsOf(places), bitsOf(places.slice(1)));
  assert.ok(apart > 200 && apart < 312, `${apart}`);
  assert.ok(near < 80, `${near}`);
});

function differences(one: Uint32Array, other: Uint32Array): number {
  return one.reduce((sum, word, at) => sum + ones(word ^ other[at]!), 0);
}

function ones(word: number): number {
  return word === 0 ? 0 : (word & 1) + ones(word >>> 1);
}
