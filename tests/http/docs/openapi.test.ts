import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { routes } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/docs/openapi.ts';
import { docsPage } from '../../../src/http/docs/page.ts';
import { type Route, route } from '../../../src/http/route.ts';
import { newDesk, REVIEWS, sharedApp } from '../routes/reviews/support.ts';

const reply = z.object({ text: z.string().describe('What was said.') });

/** A route with several response types. */
const speaking: Route = route({
  method: 'get',
  path: '/speech',
  access: 'open',
  tag: 'Speech',
  summary: 'Say something',
  description: 'In the form that is asked for.',
  responses: {
    200: {
      description: 'What was said.',
      schema: reply,
      content: {
        'text/plain': z.string().describe('The text alone.'),
        'text/event-stream': z.string().describe('The text as it comes.'),
      },
      headers: { 'x-speaker': 'Who said it.' },
    },
    204: { description: 'Nothing was said.' },
  },
  faults: { 503: 'Everybody is speaking.' },
  run: async () => ({ body: { text: '' } }),
});

test('openApiDocument: names every response type, response header and error', () => {
  const { paths } = openApiDocument([speaking]) as unknown as { paths: Record<string, Record<string, Operation>> };
  const { responses } = paths['/speech']!.get!;
  assert.deepEqual(responses['200'], {
    description: 'What was said.',
    headers: { 'x-speaker': { description: 'Who said it.', schema: { type: 'string' } } },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: { text: { type: 'string', description: 'What was said.' } },
          required: ['text'],
          additionalProperties: false,
        },
      },
      'text/plain': { schema: { type: 'string', description: 'The text alone.' } },
      'text/event-stream': { schema: { type: 'string', description: 'The text as it comes.' } },
    },
  });
  assert.deepEqual(responses['204'], { description: 'Nothing was said.' });
  assert.equal(responses['503']?.description, 'Everybody is speaking.');
});

test('docsPage: shows every response type and response header', () => {
  const page = docsPage(openApiDocument([speaking]));
  for (const shown of [
    'Answer 200 as text/plain',
    'Answer 200 as text/event-stream',
    '<code>x-speaker</code>',
    'Who said it.',
  ]) {
    assert.ok(page.includes(shown), shown);
  }
});

test('openApiDocument: the document of all routes is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(openApiDocument(routes)));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.1');
});

test('openApiDocument: arrays have items, operations a 4xx answer, as linters want', () => {
  const document = openApiDocument(routes);
  const withoutItems: string[] = [];
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items } = value as Record<string, unknown>;
    if ([type].flat().includes('array') && items === undefined) withoutItems.push(at);
    for (const [name, member] of Object.entries(value)) if (name !== 'examples') visit(member, `${at}/${name}`);
  };
  visit(document, '#');
  assert.deepEqual(withoutItems, []);
  const without4xx = operationsOf(document).filter(
    ([, { responses }]) => !Object.keys(responses).some((one) => one[0] === '4'),
  );
  assert.deepEqual(without4xx, []);
});

test('openApiDocument: every example fits its schema', () => {
  const document = openApiDocument(routes);
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, formats: FORMATS });
  ajv.addSchema(document, 'api');
  const misfits: string[] = [];
  let examples = 0;
  const visit = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const one = value as { schema?: object; examples?: Record<string, { value: unknown }> };
    for (const [name, example] of Object.entries((one.schema && one.examples) ?? {})) {
      examples += 1;
      const validate = ajv.compile({ $ref: `api#${at}/schema` });
      if (!validate(example.value)) misfits.push(`${at}/examples/${name}: ${ajv.errorsText(validate.errors)}`);
    }
    for (const [name, member] of Object.entries(value)) {
      if (name !== 'examples')
        visit(member, `${at}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
    }
  };
  visit(document.paths, '/paths');
  assert.deepEqual(misfits, []);
  assert.ok(examples > 300, `${examples} examples`);
});

const FORMATS = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i,
  email: /^[^@\s]+@[^@\s]+$/,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  uri: (text: string) => URL.canParse(text),
  binary: true as const,
};

function operationsOf(document: Record<string, unknown>): [string, Operation][] {
  const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>);
  return paths.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
}

test('openApiDocument: schemas and shared errors are named components', () => {
  const document = openApiDocument(routes);
  const { schemas, responses } = document.components as Record<string, Record<string, object>>;
  for (const noun of ['Review', 'Execution', 'Event', 'Card', 'Tab', 'User', 'ApiKey', 'IngestionJob']) {
    assert.ok(schemas?.[noun], noun);
  }
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const answers = paths[`${REVIEWS}/{reviewId}`]!.get!.responses as unknown as Record<string, object>;
  assert.deepEqual(answers['401'], { $ref: '#/components/responses/Unauthenticated' });
  assert.ok(responses?.Unauthenticated);
});

test('openApiDocument: every operation has a described tag, in reading order', () => {
  const { tags, paths } = openApiDocument(routes) as {
    tags: { name: string; description?: string }[];
    paths: Record<string, Record<string, { tags: string[] }>>;
  };
  for (const { name, description } of tags) assert.ok(description, `${name}: describe it in src/http/docs/tags.ts`);
  assert.equal(tags[0]?.name, 'Tracked events');
  assert.equal(tags.at(-1)?.name, 'Operation');
  const named = new Set(tags.map(({ name }) => name));
  for (const operations of Object.values(paths)) {
    for (const operation of Object.values(operations)) assert.ok(operation.tags.every((tag) => named.has(tag)));
  }
});

test('openApiDocument: contains the paths that are no routes', () => {
  const { paths } = openApiDocument(routes) as { paths: Record<string, Record<string, { description: string }>> };
  for (const [path, method] of Object.entries({
    '/openapi.json': 'get',
    '/docs': 'get',
    '/docs/plain': 'get',
    '/metrics': 'get',
    '/mcp': 'post',
  })) {
    assert.ok((paths[path]?.[method]?.description.length ?? 0) > 20, path);
  }
});

test('openApiDocument: the training export matches its documented formats', async () => {
  const app = await sharedApp();
  const desk = await newDesk(app);
  await desk.review();
  const path = `${REVIEWS}/export/training-data`;
  const { paths } = (await app.request('GET', '/openapi.json')).body;
  const operation = paths[path].get as Operation & { parameters: { name: string; schema: { enum: string[] } }[] };
  const { content = {}, headers = {} } = operation.responses['200']!;
  const formats = operation.parameters.find(({ name }) => name === 'format')?.schema.enum ?? [];
  assert.equal(formats.length, 4);
  const seen = new Set<string>();
  for (const format of formats) {
    const answer = await desk.request('GET', `${path}?format=${format}`);
    seen.add(answer.headers.get('content-type')!.split(';', 1)[0]!);
    for (const name of Object.keys(headers)) assert.notEqual(answer.headers.get(name), null, `${format}: ${name}`);
  }
  assert.deepEqual([...seen].sort(), Object.keys(content).sort());
  assert.deepEqual(Object.keys(headers), ['x-skipped']);
});

interface Operation {
  responses: Record<string, { description: string; headers?: object; content?: Record<string, unknown> }>;
}
