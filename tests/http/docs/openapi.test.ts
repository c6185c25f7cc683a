import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
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
