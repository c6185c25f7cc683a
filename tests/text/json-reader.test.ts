import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UnreadableDocument } from '../../src/core/knowledge/reader.ts';
import { bytesOf, type RecordPosition } from '../../src/text/bytes.ts';
import { JsonReader, layoutOfJson } from '../../src/text/json-reader.ts';
import { borders, sparingly } from './textual.ts';

interface Read {
  value: unknown;
  line: number;
  position: RecordPosition;
}

function elementsOf(content: string | Buffer, from?: RecordPosition, window = 7, most = 5): Read[] {
  const read = sparingly(bytesOf(Buffer.from(content)), most);
  const { layout, begin } = layoutOfJson(read, 0);
  const reader = new JsonReader(read, layout, from ?? begin, window);
  const elements: Read[] = [];
  for (let found = reader.read(); found; found = reader.read()) {
    elements.push({ ...found, line: reader.line, position: reader.position });
  }
  return elements;
}

const valuesOf = (content: string) => elementsOf(content).map(({ value }) => value);

function refused(content: string | Buffer, message: RegExp): void {
  const large = content.length > 1_000 ? 1_000_000 : 7;
  assert.throws(
    () => elementsOf(content, undefined, large, large),
    (error) => {
      assert.ok(error instanceof UnreadableDocument, String(error));
      assert.match(error.message, message);
      assert.ok(error.message.length < 400);
      return true;
    },
  );
}

test('JsonReader: an array yields its elements', () => {
  assert.deepEqual(valuesOf(' [ {"a": [1, "]", {"b": "\\"}"}]} , "x,]" ,\n3.5, null , [] ] \n'), [
    { a: [1, ']', { b: '"}' }] },
    'x,]',
    3.5,
    null,
    [],
  ]);
  assert.deepEqual(valuesOf('[]'), []);
  assert.deepEqual(valuesOf('[ \n ]\n'), []);
});

test('JsonReader: lines yield a value each, a single value itself', () => {
  assert.deepEqual(valuesOf('{"a":1}\n\n"x"\r\n12\nnull\n{"b":2}'), [{ a: 1 }, 'x', 12, null, { b: 2 }]);
  assert.deepEqual(valuesOf('{\n "data": [\n  1,\n  2\n ]\n}\n'), [{ data: [1, 2] }]);
  for (const scalar of ['12', '"x"', 'null', 'true\n']) assert.deepEqual(valuesOf(scalar), [JSON.parse(scalar)]);
  assert.deepEqual(valuesOf(''), []);
  assert.deepEqual(valuesOf(' \n\n'), []);
});

test('JsonReader: a value knows the line it begins on', () => {
  const lines = (content: string) => elementsOf(content).map(({ line }) => line);
  assert.deepEqual(lines('[\n  {\n "a": 1\n},\n\n 2, 3,\r\n "x"\n]'), [2, 6, 6, 7]);
  assert.deepEqual(lines('\n[1\n,\n2]'), [2, 4]);
  assert.deepEqual(lines('\n{"a":1}\n\n{\n}\n3'), [2, 4, 6]);
});

test('JsonReader: whole numbers that a double cannot hold keep their digits', () => {
  assert.deepEqual(valuesOf('[{"id": 12345678901234567890, "n": 9007199254740991, "x": 0.12345678901234566}]'), [
    { id: '12345678901234567890', n: 9007199254740991, x: 0.12345678901234566 },
  ]);
});

test("JsonReader: numbers beyond a double's range stay as written", () => {
  assert.deepEqual(valuesOf('[1e400, -2E+999, {"n": 1e-999}, 1e100, "1e400"]'), [
    '1e400',
    '-2E+999',
    { n: 0 },
    '1e100',
    '1e400',
  ]);
});

test('JsonReader: errors name the element and its line', () => {
  refused('[\n{"a":1},\n{"a" 2}\n]', /^Element 2 in line 3 is not valid JSON: Expected ':' after property name/);
  refused('[{"a":1},\n{"a":\n1\n"b"}]', /^Element 2 in line 4 is not valid JSON: Expected ',' or '}'/);
  refused('[{"a":1}\n{"a":2}]', /^Element 2 in line 2 is not valid JSON: a comma or "]" is missing/);
  refused('[1,\n]', /^Element 2 in line 2 is not valid JSON: a value is missing/);
  refused('[,1]', /^Element 1 in line 1 .*a value is missing/);
  refused('[1,\n2', /^Element 3 in line 2 .*the array is not closed/);
  refused('[1,', /^Element 2 in line 1 .*(missing|ends)/);
  refused('[', /^Element 1 in line 1 /);
  refused('[1,\n{"a":[1', /^Element 2 in line 2 .*the file ends within it/);
  refused('[1,\n"abc', /^Element 2 in line 2 .*Unterminated string/);
  refused('[1, 2}', /^Element 3 in line 1 .*a comma or "]" is missing/);
  refused('{"a":1}\n{"a":\n', /^Value 2 in line 2 .*the file ends within it/);
  refused('{"a":1}\nnonsense\n', /^Value 2 in line 2 is not valid JSON: Unexpected token/);
  refused("{'a': 1}", /^Value 1 in line 1 is not valid JSON/);
  refused(`[${'x'.repeat(10_000)}]`, /^Element 1 in line 1 is not valid JSON/);
});

test('JsonReader: text after an array is refused with its line', () => {
  for (const rest of ['x', ',', ']', '[2]', '{"a":1}']) {
    refused(`[1,\n2]\n\n${rest}`, /in line 4 .*something follows the end of the array/);
  }
});

test('JsonReader: nesting depth is limited', () => {
  const nested = (depth: number) => `[${'['.repeat(depth)}${']'.repeat(depth)}]`;
  assert.equal(valuesOf(nested(100)).length, 1);
  refused(nested(101), /^Element 1 in line 1 .*deeper than 100 levels/);
  refused('[\n1,'.concat('['.repeat(1_000_000)), /^Element 2 in line 2 .*deeper than 100 levels/);
  refused('{"a":'.repeat(1_000_000), /^Value 1 in line 1 .*deeper than 100 levels/);
});

test('JsonReader: an element may have 1 MB, a single value 16 MB', () => {
  const string = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`;
  const mega = 1024 * 1024;
  for (const window of [1_000, mega, 3 * mega]) {
    assert.equal(elementsOf(`[1,${string(mega)}]`, undefined, window, 2 * mega).length, 2);
    assert.throws(
      () => elementsOf(`[1,\n${string(mega + 1)}]`, undefined, window, 2 * mega),
      /^UnreadableDocument: Element 2, which begins in line 2, is longer than 1 MB/,
    );
  }
  assert.equal(elementsOf(string(16 * mega), undefined, mega, mega).length, 1);
  refused(
    string(16 * mega + 1),
    /^Value 1, .* is longer than 16 MB\. Send an array of records, or one record per line/,
  );
  refused(`[1,\n"${'x'.repeat(40 * mega)}`, /^Element 2, .* is longer than 1 MB/);
});

function spaced(value: unknown, spaces: () => string): string {
  const inner = (one: unknown): string => {
    if (Array.isArray(one)) return `[${one.map((part) => spaced(part, spaces)).join(',') || spaces()}]`;
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    const members = Object.entries(one).map(
      ([name, part]) => `${spaces()}${JSON.stringify(name)}${spaces()}:${spaced(part, spaces)}`,
    );
    return `{${members.join(',') || spaces()}}`;
  };
  return spaces() + inner(value) + spaces();
}

const values = fc.array(fc.jsonValue({ maxDepth: 4, noUnicodeString: false }), { maxLength: 6 });
const spaces = fc.array(fc.constantFrom('', ' ', '\n', '\r\n\t'), { minLength: 1, maxLength: 8 });

function spacer(choices: string[]): () => string {
  let turn = 0;
  return () => choices[turn++ % choices.length]!;
}

test('JsonReader: random arrays match JSON.parse, across buffers and from any element', () => {
  fc.assert(
    fc.property(values, spaces, borders, (list, choices, { window, most }) => {
      const content = spaced(list, spacer(choices));
      const elements = elementsOf(content, undefined, window, most);
      assert.deepEqual(
        elements.map(({ value }) => value),
        JSON.parse(content),
      );
      for (const [index, { position }] of elements.entries()) {
        assert.deepEqual(elementsOf(content, position, window, most), elements.slice(index + 1));
      }
    }),
    { numRuns: 500 },
  );
});

test('JsonReader: random values in lines match JSON.parse, and resume from any', () => {
  const lists = values.filter(([first]) => !Array.isArray(first));
  fc.assert(
    fc.property(lists, borders, (list, { window, most }) => {
      const content = list.map((value) => JSON.stringify(value)).join('\n');
      const elements = elementsOf(content, undefined, window, most);
      assert.deepEqual(
        elements.map(({ value }) => value),
        content === '' ? [] : content.split('\n').map((line) => JSON.parse(line)),
      );
      for (const [index, { position, line }] of elements.entries()) {
        assert.equal(line, index + 1);
        assert.deepEqual(elementsOf(content, position, window, most), elements.slice(index + 1));
      }
    }),
    { numRuns: 300 },
  );
});

test('JsonReader: a single value matches JSON.parse, however it is spaced', () => {
  const single = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }).filter((value) => !Array.isArray(value));
  fc.assert(
    fc.property(single, spaces, borders, (value, choices, { window, most }) => {
      const content = spaced(value, spacer(choices));
      const elements = elementsOf(content, undefined, window, most);
      assert.deepEqual(
        elements.map((one) => one.value),
        [JSON.parse(content)],
      );
    }),
    { numRuns: 500 },
  );
});

test('JsonReader: refuses in an array exactly what JSON.parse refuses', () => {
  const noise = fc.array(fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', '1', 'a', ' ', '\n', 'null'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(noise, borders, (parts, { window, most }) => {
      const content = `[${parts.join('')}`;
      let expected: unknown;
      try {
        expected = JSON.parse(content);
      } catch {
        assert.throws(() => elementsOf(content, undefined, window, most), UnreadableDocument);
        return;
      }
      assert.deepEqual(
        elementsOf(content, undefined, window, most).map(({ value }) => value),
        expected,
      );
    }),
    { numRuns: 2_000 },
  );
});
