import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { StopCutter } from '../../../../src/core/agents/chat/stop.ts';

function cutIn(parts: string[], stops: string[]): { text: string; isCut: boolean } {
  const cutter = new StopCutter(stops);
  const text = parts.map((part) => cutter.push(part)).join('');
  return { text: text + cutter.rest(), isCut: cutter.isCut };
}

test('StopCutter: a text ends before its stop sequence, also one in several parts', () => {
  assert.deepEqual(cutIn(['one tw', 'o ST', 'OP three'], ['STOP']), { text: 'one two ', isCut: true });
  assert.deepEqual(cutIn(['one STO', 'NE'], ['STOP']), { text: 'one STONE', isCut: false });
});

test('StopCutter: the first complete sequence wins, then the longest', () => {
  assert.deepEqual(cutIn(['xabcd'], ['abcd', 'bc']), { text: 'xa', isCut: true });
  assert.deepEqual(cutIn(['xabc'], ['bc', 'abc']), { text: 'x', isCut: true });
});

test('StopCutter: only a possible beginning of a sequence is held back', () => {
  const cutter = new StopCutter(['\n\nUser:']);
  assert.equal(cutter.push('Hello.\n'), 'Hello.');
  assert.equal(cutter.push('More'), '\nMore');
  assert.equal(cutter.push('\n\nUse'), '');
  assert.equal(cutter.rest(), '\n\nUse');
});

test('StopCutter: the result does not depend on how the text is split', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 }).map((list) => list.join(''));
  const stop = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 5 }).map((list) => list.join(''));
  fc.assert(
    fc.property(letters, fc.array(stop, { minLength: 1, maxLength: 3 }), fc.array(fc.nat(40)), (text, stops, cuts) => {
      const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((one, other) => one - other);
      const parts = [...places, text.length].map((end, index) => text.slice(places[index - 1] ?? 0, end));
      assert.deepEqual(cutIn(parts, stops), plainly(text, stops));
    }),
    { numRuns: 1_000 },
  );
});

/** Character by character: the first place at which the text so far ends with a stop sequence. */
function plainly(text: string, stops: string[]): { text: string; isCut: boolean } {
  for (let end = 1; end <= text.length; end++) {
    const ending = stops.filter((stop) => text.slice(0, end).endsWith(stop));
    if (ending.length === 0) continue;
    return { text: text.slice(0, end - Math.max(...ending.map((stop) => stop.length))), isCut: true };
  }
  return { text, isCut: false };
}
