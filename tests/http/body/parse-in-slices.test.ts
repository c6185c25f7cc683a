import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseInSlices } from '../../../src/http/body/parse-in-slices.ts';

/** Beyond what is parsed at once. */
const LARGE = 1_100_000;

function outcomeOf(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch {
    return 'refused';
  }
}

async function assertSame(text: string): Promise<void> {
  const sliced = await parseInSlices(text).then(
    (value) => ({ value }),
    () => 'refused',
  );
  // In words, because -0 and keys such as __proto__ must be the same, too.
  assert.equal(JSON.stringify(sliced), JSON.stringify(outcomeOf(() => JSON.parse(text))), text.slice(0, 200));
}

test('parseInSlices: reads and refuses what JSON.parse does', async () => {
  const filler = { filler: 'x'.repeat(LARGE) };
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(fc.jsonValue()),
      fc.nat(),
      fc.constantFrom('', ',', '}', ']', '{', '[', '"', ':', '\\', ' ', '1', '[]'),
      fc.boolean(),
      async (members, items, place, stray, isFirst) => {
        const whole = isFirst ? { items, ...filler, ...members } : { ...members, ...filler, items };
        const text = JSON.stringify(whole, null, place % 3);
        await assertSame(text);
        // A stray character anywhere but in the filler.
        const edge = text.length - LARGE;
        const at = isFirst ? Math.min(place % 500, Math.max(0, edge - 2)) : text.length - 1 - (place % 300);
        await assertSame(`${text.slice(0, at)}${stray}${text.slice(at)}`);
      },
    ),
    { numRuns: 60 },
  );
});

test('parseInSlices: lists that come in parts are whole, and in order', async () => {
  const events = Array.from({ length: 5_000 }, (_, index) => ({ index, text: `"],[{"${index}\\`.repeat(30) }));
  for (const body of [{ events }, { a: [], events, b: [1] }, { events: [events, events.slice(0, 2)] }]) {
    assert.deepEqual(await parseInSlices(JSON.stringify(body)), body);
  }
  const text = JSON.stringify({ events });
  const broken = [
    text.replace(',{"index":4000', ',,{"index":4000'),
    text.replace(']}', ',]}'),
    text.replace(':[', ':1['),
    `${text.slice(0, -1)}1}`,
    `${text}x`,
    text.replace('{', '{,'),
  ];
  for (const one of broken) {
    await assert.rejects(parseInSlices(one), SyntaxError);
  }
});

test('parseInSlices: what is made to hold up the server is refused by name', async () => {
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`member${index}`, 0])));
  const numbers = JSON.stringify(Array(700_000).fill(0));
  for (const [text, message] of [
    [many, /^body: an object has more than 20,000 members$/],
    [`{"events":[${many}]}`, /20,000 members/],
    [`{"events":[${numbers}]}`, /^events: has more than 250,000 values in one member or item$/],
    [`{"value":{"inner":${numbers}}}`, /250,000 values/],
    [numbers, /^body: must be an object$/],
  ] as const) {
    await assert.rejects(parseInSlices(text), { code: 'invalid', message });
  }
  assert.equal(((await parseInSlices(`{"value":${numbers}}`)) as { value: number[] }).value.length, 700_000);
});
