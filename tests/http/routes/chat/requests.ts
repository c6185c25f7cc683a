import fc from 'fast-check';
import { bodyFor, TESTED, type Tested } from './faults/providers.ts';

/* Invalid requests: valid ones with odd values, and ones with parts replaced at any depth. */

const ODD = [
  'a/../b',
  'a\\b',
  '/../../v1/files',
  '?a=b#c',
  '%2f..%00',
  '[DONE]',
  'data: [DONE]\n\n',
  '__proto__',
  '\u202e\u2028',
  '🌍',
  'Zażółć',
  ' ',
];
const name = fc.oneof(
  fc.constantFrom('find', 'a-b_C', 'constructor', '__proto__', '0'),
  fc.stringMatching(/^[\w-]{1,64}$/),
);
/** At most 200 characters. */
const word = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'hello') },
  fc.constantFrom(...ODD),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }).map((text) => text.replaceAll('\0', 'x')),
);
const text = fc.oneof({ weight: 3, arbitrary: word }, fc.constantFrom('', '\0', 'x'.repeat(5_000), '\r\n\r\n'));

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const PDF = 'data:application/pdf;base64,JVBERi0xLjQK';
const part = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('text'), text }) },
  fc.record({
    type: fc.constant('image_url'),
    image_url: fc.record(
      { url: fc.constant(PNG), detail: fc.constantFrom('auto', 'low', 'high') },
      { requiredKeys: ['url'] },
    ),
  }),
  fc.record({
    type: fc.constant('file'),
    file: fc.record({
      filename: word,
      file_data: fc.constantFrom(PDF, 'JVBERi0xLjQK', 'data:text/plain;base64,aGk=', 'data:;base64,'),
    }),
  }),
);

type Messages = Record<string, unknown>[];
const said = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'system', 'assistant'), content: text }),
  fc.record({
    role: fc.constantFrom('system', 'assistant'),
    content: fc.array(fc.record({ type: fc.constant('text'), text }), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({ role: fc.constant('user'), content: fc.array(part, { minLength: 1, maxLength: 4 }) }),
);
const json = fc.oneof(fc.constantFrom('', '{}', '{"a":', '[1]', 'null', '"x"', '{"a":{"b":[1,2]}}'), fc.json());
/** Calls and their answers, which may come in any order. */
const called = fc
  .tuple(
    fc.uniqueArray(word, { minLength: 1, maxLength: 3 }),
    name,
    json,
    fc.oneof(fc.constant(null), text),
    text,
    fc.boolean(),
  )
  .map(
    ([ids, tool, argument, before, answer, isNamed]): Messages => [
      {
        role: 'assistant',
        content: before,
        tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: tool, arguments: argument } })),
      },
      ...ids
        .toReversed()
        .map((id) => ({ role: 'tool', tool_call_id: id, content: answer, ...(isNamed ? { name: tool } : {}) })),
    ],
  );
const messages = fc
  .array(fc.oneof({ weight: 2, arbitrary: said.map((one): Messages => [one]) }, called), { minLength: 1, maxLength: 5 })
  .map((turns) => turns.flat());

const schema = fc.oneof(
  fc.constantFrom<object>(
    { type: 'object', properties: { a: { type: 'string' } } },
    {},
    { $ref: '#' },
    { type: ['null'] },
  ),
  fc.dictionary(word, fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })).map(withoutRounded),
);
/** Integers that a double rounds are refused. */
function withoutRounded(value: object): object {
  const isKept = (one: unknown) => typeof one !== 'number' || !Number.isInteger(one) || Number.isSafeInteger(one);
  return JSON.parse(JSON.stringify(value, (_, one) => (isKept(one) ? one : 1)));
}

const optional = <Shape>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }, ...requiredKeys: (keyof Shape)[]) =>
  fc.record(shape, { requiredKeys });

const request = fc.record({
  projectId: word,
  messages,
  instructions: word,
  temperature: fc.double({ min: 0, max: 2, noNaN: true }),
  topP: fc.double({ min: 0, max: 1, noNaN: true }),
  frequencyPenalty: fc.double({ min: -2, max: 2, noNaN: true }),
  presencePenalty: fc.double({ min: -2, max: 2, noNaN: true }),
  maxTokens: fc.constantFrom(1, 100, 10_000_000),
  stop: fc.array(word, { maxLength: 16 }),
  seed: fc.maxSafeInteger(),
  tools: fc.array(
    fc.record({
      type: fc.constant('function'),
      function: optional({ name, description: word, parameters: schema, strict: fc.boolean() }, 'name'),
    }),
    { maxLength: 3 },
  ),
  responseFormat: fc.oneof(
    fc.constantFrom({ type: 'text' }, { type: 'json_object' }),
    fc.record({
      type: fc.constant('json_schema'),
      json_schema: optional({ name, schema, strict: fc.boolean() }, 'name', 'schema'),
    }),
  ),
  thinking: optional(
    { type: fc.constantFrom('enabled', 'adaptive', 'disabled'), budgetTokens: fc.constantFrom(1, 1_024, 1_000_000) },
    'type',
  ),
  serverTools: fc.array(fc.constantFrom('web_search', 'code_execution'), { maxLength: 2 }),
});

/** Values that are hardly ever valid. */
const stray = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e300,
    2 ** 53,
    '',
    '\ud800',
    'a\udc00b',
    '\0',
    [],
    {},
    [null],
    [[]],
    { type: 'text' },
  ),
  fc.constantFrom(
    'data:',
    'data:text/html;base64,PGI+',
    'http://127.0.0.1:1/a.png',
    'file:///etc/passwd',
    'x'.repeat(20_000),
  ),
  fc.jsonValue(),
  fc.integer({ min: 1, max: 60 }).map((depth) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)),
  fc.integer({ min: 100, max: 3_000 }).map((length) => Array(length).fill({})),
);
/** The index of the part, modulo their number, and whether to replace it or add to it. */
const mutation = fc.tuple(fc.nat(), stray, fc.constantFrom('replace', 'replace', 'remove', 'add'), word);
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

export interface FuzzedRequest {
  provider: Tested;
  /** Whether nothing of it is out of place. */
  isRight: boolean;
  body: Record<string, unknown>;
}

const FEW = 5;
/** Mostly the usual model: others may not support the members. */
const model = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, fc.record({ model: word }));

/** A request of a provider, which is named as in the table of faults. */
export const fuzzedRequest: fc.Arbitrary<FuzzedRequest> = fc
  .tuple(
    fc.constantFrom(...TESTED),
    request.chain((members) => fc.subarray(Object.entries(members), { maxLength: FEW })),
    model,
    fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 2 })),
  )
  .map(([provider, members, named, mutations]) => {
    const whole = { ...bodyFor(provider), providerName: provider, ...Object.fromEntries(members), ...named };
    // A copy: constants are shared by all requests.
    const body = JSON.parse(JSON.stringify(whole));
    for (const one of mutations) mutate(body, structuredClone(one) as Mutation);
    // Without a definition, Amazon's own chain would look for credentials all over the network.
    if (body.provider === 'bedrock') body.providerName ??= provider;
    return { provider, isRight: mutations.length === 0, body };
  });

function mutate(body: object, [place, value, how, key]: Mutation): void {
  const places = placesIn(body);
  if (places.length === 0) return;
  const [holder, member] = places[place % places.length]!;
  if (how === 'remove') delete holder[member];
  else if (how === 'add' && !Array.isArray(holder)) holder[key] = value;
  else holder[member] = value;
}

type Place = [holder: Record<string, unknown>, member: string];

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([member, inner]): Place[] => [[holder, member], ...placesIn(inner)]);
}
