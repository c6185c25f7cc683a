import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseTail, type RowGroup } from '../../../../../src/storage/events/duckdb/upkeep/tail.ts';

const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Row groups of a thousand rows in these blocks, and the used blocks of a file. */
function file(blocks: number, ...groups: number[][]) {
  const used = new Set(groups.flat()).size;
  const rowGroups = groups.map((held, index): RowGroup => ({ firstRow: index * 1_000, rows: 1_000, blocks: held }));
  return [rowGroups, { blockBytes: 1, blocks, used, lastFixed: -1 }] as const;
}

test('chooseTail: the last row groups are moved if the holes can take them', () => {
  const tail = chooseTail(...file(100, between(0, 29), between(80, 99)));
  assert.deepEqual(tail, { rows: [[1_000, 1_999]], gain: 49 });
});

test('chooseTail: the order of row groups in the table does not matter', () => {
  const tail = chooseTail(...file(100, between(80, 99), between(0, 29)));
  assert.deepEqual(tail, { rows: [[0, 999]], gain: 49 });
});

test('chooseTail: as much is moved as the holes can take', () => {
  const tail = chooseTail(...file(100, between(0, 44), between(70, 79), between(80, 89), between(90, 99)));
  assert.deepEqual(tail?.rows, [
    [3_000, 3_999],
    [2_000, 2_999],
  ]);
  assert.equal(tail.gain, 20);
});

test('chooseTail: blocks of other tables stay, and with them the end of the file', () => {
  const [groups, room] = file(100, between(0, 29), between(80, 98));
  assert.equal(chooseTail(groups, { ...room, used: room.used + 1, lastFixed: 70 })?.gain, 29);
  assert.equal(chooseTail(groups, { ...room, used: room.used + 1, lastFixed: 99 }), null);
});

test('chooseTail: nothing is moved that does not fit', () => {
  assert.equal(chooseTail(...file(100, between(0, 79), between(81, 99))), null);
  assert.equal(chooseTail(...file(100, between(0, 99))), null);
  assert.equal(chooseTail(...file(0)), null);
});

test('chooseTail: nothing is moved for a negligible gain', () => {
  const [[first, second], room] = file(200, [...between(0, 9), 195], [...between(100, 150), 199]);
  const tooLarge = { ...first!, rows: 1_150_000 };
  assert.equal(chooseTail([tooLarge, { ...second!, firstRow: tooLarge.rows, rows: 100_000 }], room, 1_200_000), null);
});

test('chooseTail: at most maxEvents are moved at once', () => {
  const groups = Array.from({ length: 40 }, (_, index) => between(1_000 + index * 10, 1_009 + index * 10));
  const [rowGroups, room] = file(1_400, ...groups);
  const tail = chooseTail(
    rowGroups.map((group) => ({ ...group, firstRow: group.firstRow * 100, rows: 100_000 })),
    room,
    1_200_000,
  );
  assert.equal(tail?.rows.length, 12);
  assert.equal(tail.gain, 120);
});
