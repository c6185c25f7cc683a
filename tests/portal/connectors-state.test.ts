import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callFields, dataOf, exampleArguments, keyOf } from '../../portal/src/pages/connectors/detail/call-fields.ts';
import {
  type Draft,
  draftOf,
  fieldsOf,
  textOfDraft,
  withFields,
} from '../../portal/src/pages/connectors/editor/definition.ts';
import { lineOfPath, linesOfMembers } from '../../portal/src/pages/connectors/editor/json-lines.ts';
import { differencesOf, mergedDraft } from '../../portal/src/pages/connectors/editor/merging.ts';
import { renamedResource, withNewResource, withResource } from '../../portal/src/pages/connectors/editor/resources.ts';
import { countsBySlug, matching } from '../../portal/src/pages/connectors/list/state.ts';
import type { Definition, Resource } from '../../portal/src/pages/connectors/types.ts';

const draft: Draft = {
  slug: 'pets',
  name: 'Pets',
  environments: { production: { baseUrl: 'https://pets.example.com' } },
  retry: { attempts: 2, statuses: [500] },
  resources: { list: { method: 'GET', path: '/pets' } },
};

test('Definition: a field changes its member, and keeps those without a field', () => {
  const named = withFields(draft, { name: 'Others', description: '' });
  assert.deepEqual(named, { ...draft, name: 'Others' });
  const staged = withFields(draft, { staging: 'https://staging.example.com' });
  assert.deepEqual(Object.keys(staged.environments!), ['production', 'staging']);
  assert.deepEqual(withFields(staged, { staging: '' }), draft);
  assert.equal(withFields(draft, { timeoutMs: '1000' }).timeoutMs, 1000);
  assert.equal(withFields(draft, { timeoutMs: 'soon' }).timeoutMs as unknown, 'soon', 'the server says what is wrong');
});

test('Definition: every environment has the credential; none without authentication', () => {
  const bearer = withFields(withFields(draft, { authType: 'bearer' }), { credential: 'pets' });
  assert.deepEqual(bearer.environments?.production?.secret, { credential: 'pets' });
  assert.deepEqual([bearer.credentials, fieldsOf(bearer).credential], [['pets'], 'pets']);
  const staged = withFields(bearer, { staging: 'https://staging.example.com' });
  assert.deepEqual(staged.environments?.staging?.secret, { credential: 'pets' });
  const other = withFields(staged, { credential: 'others' });
  assert.deepEqual(other.credentials, ['others']);
  const none = withFields(other, { authType: 'none' });
  assert.deepEqual([none.credentials, none.environments?.production?.secret], [[], undefined]);
  const key = withFields(draft, { authType: 'apiKey', keyName: 'x-key' });
  assert.deepEqual(key.auth, { type: 'apiKey', in: 'header', name: 'x-key' });
});

test('Definition: a text that is no JSON, or no object, has its fault at a line', () => {
  assert.deepEqual(draftOf(textOfDraft(draft), ''), { draft });
  const broken = draftOf('{\n  "name": "Pets",\n}', '');
  assert.equal('fault' in broken && broken.fault.line, 3);
  const unfinished = draftOf('{\n  "name": "Pets"\n', '');
  assert.equal('fault' in unfinished && unfinished.fault.line, 3);
  assert.deepEqual(draftOf('[]', 'An object.'), { fault: { line: 1, message: 'An object.' } });
});

test('JSON lines: members are found by the paths that the server names', () => {
  const text = '{\n  "a": {"b c": "x: {",\n    "d": [1,\n      {"e": "\\"}"}]\n  },\n  "f": []\n}';
  const lines = linesOfMembers(text);
  assert.deepEqual(
    ['a', 'a.b c', 'a.d', 'a.d[0]', 'a.d[1]', 'a.d[1].e', 'f'].map((path) => lines.get(path)),
    [2, 2, 3, 3, 4, 4, 6],
  );
  assert.equal(lineOfPath('a.d[1].missing', lines), 4, 'the nearest member around it');
  assert.equal(lineOfPath('nothing', lines), 1);
  assert.equal(lineOfPath('', lines), 1);
});

test('Resources: renamed at their place, added under a free name', () => {
  const two = withResource(draft, 'add', { method: 'POST', path: '/pets', description: '' });
  assert.deepEqual(two.resources?.add, { method: 'POST', path: '/pets' });
  assert.deepEqual(Object.keys(renamedResource(two, 'list', 'all').resources!), ['all', 'add']);
  assert.equal(renamedResource(two, 'list', 'add'), two, 'no other resource is replaced');
  const { draft: more, slug } = withNewResource(withNewResource(draft).draft);
  assert.deepEqual([slug, Object.keys(more.resources!)], ['resource-2', ['list', 'resource', 'resource-2']]);
});

test('Merging: what only they have changed is theirs, also within the resources', () => {
  const mine = withResource({ ...draft, name: 'Mine' }, 'mine', { path: '/mine' });
  const theirs = withResource({ ...draft, description: 'Theirs' }, 'theirs', { path: '/theirs' });
  const merged = mergedDraft(mine, draft, theirs);
  assert.deepEqual([merged.name, merged.description], ['Mine', 'Theirs']);
  assert.deepEqual(Object.keys(merged.resources!).sort(), ['list', 'mine', 'theirs']);
  const { retry: _, ...less } = draft;
  assert.ok(!('retry' in mergedDraft(draft, draft, less)));
  assert.deepEqual(
    differencesOf(mine, theirs).map(({ label }) => label),
    ['name', 'description', 'mine', 'theirs'],
  );
});

const resource = {
  method: 'POST',
  path: '/pets/{petId}/visits',
  parameters: {
    query: { properties: { dry: { type: 'boolean' }, size: { enum: [1, 2] } } },
    body: { $ref: '#/schemas/Visit' },
  },
} as unknown as Resource;

const schemas = {
  Visit: {
    type: 'object',
    properties: { note: { type: 'string' }, cost: { type: 'number' }, tags: { type: 'array' } },
    required: ['cost'],
  },
} as unknown as Definition['schemas'];

test('Call fields: made of the schemas, the path and what is required first', () => {
  const fields = callFields({ schemas }, resource);
  assert.deepEqual(
    fields.map((field) => [keyOf(field), field.kind, field.isRequired]),
    [
      ['path.petId', 'text', true],
      ['query.dry', 'boolean', false],
      ['query.size', 'choice', false],
      ['body.cost', 'number', true],
      ['body.note', 'text', false],
      ['body.tags', 'json', false],
    ],
  );
  const texts = { 'path.petId': '7', 'query.dry': 'true', 'query.size': '2', 'body.cost': '1.5', 'body.tags': '["a"]' };
  assert.deepEqual(dataOf(fields, texts), {
    path: { petId: '7' },
    query: { dry: true, size: 2 },
    body: { cost: 1.5, tags: ['a'] },
  });
  assert.deepEqual(dataOf(fields, { 'body.cost': 'much' }), { body: { cost: 'much' } }, 'the server refuses it');
  const open = { method: 'PUT', path: '/', parameters: {} } as Resource;
  assert.deepEqual(dataOf(callFields({}, open), { body: '{"a": 1}' }), { body: { a: 1 } });
});

test('Example arguments: one value for each required parameter', () => {
  const schema = {
    properties: { id: { type: 'integer' }, kind: { enum: ['cat'] }, name: { example: 'Rex' }, note: {} },
    required: ['id', 'kind', 'name'],
  };
  assert.deepEqual(exampleArguments(schema), { id: 1, kind: 'cat', name: 'Rex' });
  assert.deepEqual(exampleArguments({}), {});
});

test('List: searched by name, host and credential; calls are counted by slug', () => {
  const summary = {
    ...{ slug: 'pets', name: 'Pet store', hosts: ['api.example.com'], credentials: ['main'] },
    ...{ environments: ['production' as const], resources: 1, tools: 0, createdAt: '', updatedAt: '' },
  };
  for (const sought of ['PET', 'api.example', 'main', '']) assert.equal(matching([summary], sought).length, 1, sought);
  assert.equal(matching([summary], 'other').length, 0);
  const counts = countsBySlug([{ group: 'pets', value: 3 }], [{ group: 'pets', value: 1 }]);
  assert.deepEqual(counts.get('pets'), { done: 3, failed: 1 });
});
