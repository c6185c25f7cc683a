import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { attachable, partOf, takenText } from '../../portal/src/pages/chat/state/attachments.ts';
import { newConversation } from '../../portal/src/pages/chat/state/conversation.ts';
import type { Side, Source } from '../../portal/src/pages/chat/state/sides.ts';
import { curlOf } from '../../portal/src/pages/chat/state/snippets.ts';
import { citationsIn, placeText } from '../../portal/src/pages/chat/state/tools/citations.ts';
import { connectorTool } from '../../portal/src/pages/chat/state/tools/connector.ts';
import { answeringOf, searchTool, toolsOf } from '../../portal/src/pages/chat/state/tools/form.ts';
import { lineOfPath } from '../../portal/src/pages/chat/state/tools/lines.ts';
import { checkedTools } from '../../portal/src/pages/chat/state/tools/text.ts';

test('Chat tools: problems name the line', () => {
  const text = `[
  { "type": "function", "function": { "name": "find_order" } },
  {
    "type": "function",
    "function": {
      "name": "find order"
    }
  },
  { "type": "function",
    "function": { "name": "find_order" } },
  { "type": "function", "function": { "name": "pay",
    "parameters": [] } },
  { "type": "function",
    "function": { "name": "ask", "paramters": {} } },
  { "type": "tool" }
]`;
  const { tools, problems } = checkedTools(text);
  assert.equal(tools.length, 1);
  assert.deepEqual(
    problems.map(({ line, message }) => `${line} ${message}`),
    [
      '6 name: must be 1 to 64 letters, digits, _ or -.',
      '10 name: find_order is taken by a function above.',
      '12 parameters: must be a JSON Schema, an object.',
      '14 paramters: is no member of a function.',
      '15 type: must be "function".',
    ],
  );
  assert.deepEqual(checkedTools('{}').problems, [{ line: 1, message: 'Write a list of functions: [ … ].' }]);
  assert.equal(checkedTools('[\n  {"type": "function",}\n]').problems[0]?.line, 2);
  assert.equal(checkedTools('[\n  {"type": \n').problems[0]?.line, 2);
  assert.deepEqual(checkedTools('').problems, []);
});

test('Chat tools: the line of a path is that of the nearest value', () => {
  const text = '{\n"a": [1,\n{"b": "}\\"]"},\n[]\n],\n"c": {}\n}';
  const lines = [['a', 0], ['a', 1, 'b'], ['a', 2, 0], ['c', 'd'], ['e']].map((path) => lineOfPath(text, path));
  assert.deepEqual(lines, [2, 3, 4, 6, 1]);
});

test('Chat tools: each name has what answers it', () => {
  const connector = connectorTool(
    {
      ...{ version: 1, slug: 'pets', name: 'Pet store', environments: {}, auth: { type: 'none' } },
      schemas: { Pet: { type: 'object', properties: { owner: { $ref: '#/schemas/Person' } } }, Person: {}, Other: {} },
      resources: {
        change: {
          ...{ method: 'PUT', path: '/pets/{id}' },
          parameters: { body: { $ref: '#/schemas/Pet' }, headers: { type: 'object' } },
        },
      },
    } as never,
    'change',
  );
  assert.deepEqual(connector.tool.function.parameters, {
    type: 'object',
    properties: {
      path: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
      body: { $ref: '#/$defs/Pet' },
    },
    required: ['path', 'body'],
    $defs: { Person: {}, Pet: { type: 'object', properties: { owner: { $ref: '#/$defs/Person' } } } },
  });
  const tools = { text: '', connectors: [connector], stores: ['help desk'] };
  const [resource, search] = toolsOf(tools).map((tool) => tool.function.name);
  assert.deepEqual([resource, search], ['pets_change', 'search_help_desk']);
  assert.deepEqual(answeringOf(tools, 'pets_change'), { kind: 'connector', connector: 'pets', resource: 'change' });
  assert.deepEqual(answeringOf(tools, 'search_help_desk'), { kind: 'store', store: 'help desk' });
  assert.deepEqual(answeringOf(tools, 'find_order'), { kind: 'hand' });
  assert.equal(searchTool('x'.repeat(100)).function.name.length, 64);
});

test('Chat tools: citations are those of a search, not of a result by hand', () => {
  const source = { name: 'faq.pdf', page: 3 };
  assert.deepEqual(citationsIn(JSON.stringify([{ number: 1, source, text: 'Five days.' }, { text: 'no' }])), [
    { number: 1, source, text: 'Five days.' },
  ]);
  assert.deepEqual([citationsIn('not found'), citationsIn('{"error":"x"}')], [[], []]);
  const places = [{ heading: 'Refunds' }, { page: 3 }, { row: 2 }, { line: 9 }, {}];
  assert.deepEqual(
    places.map((place) => placeText({ name: 'f', ...place })),
    ['Refunds', 'page 3', 'row 2', 'line 9', ''],
  );
});

test('Chat attachments: files that are too large or not taken are refused', () => {
  const source = (vendor: Source['vendor']): Source => {
    return { vendor, name: null, label: vendor, testModel: null, isPrivate: false, overrides: {} };
  };
  const sources = [source('groq'), source('anthropic'), source('gemini')];
  const side = (vendor: Side['vendor']): Side => ({ vendor, name: null, model: 'm' });
  const conversation = newConversation('t1', [side('groq')]);
  const image = { name: 'a.png', type: 'image/png', size: 3_000 };
  const large = { name: 'b.png', type: 'image/png', size: 14_000_000 };
  const file = { name: 'c.pdf', type: 'application/pdf', size: 10 };
  assert.deepEqual(attachable({ conversation, sources }, [image, large, file]), {
    files: [image],
    refusals: ['b.png is too large: a conversation has room for 13 MB of files.', 'c.pdf: groq/m takes no files.'],
  });
  assert.equal(takenText({ conversation, sources }), 'Images: JPEG, PNG, GIF, WebP. No files.');
  const both = { ...conversation, sides: [side('gemini'), side('anthropic')] };
  assert.equal(takenText({ conversation: both, sources }), 'Images: JPEG, PNG, GIF, WebP. Files: PDF and text.');
  assert.deepEqual(partOf(file, 'data:application/pdf;base64,AA=='), {
    type: 'file',
    file: { filename: 'c.pdf', file_data: 'data:application/pdf;base64,AA==' },
  });
});

test('Chat: the curl command says to a shell what was said', async () => {
  const content = `It's "$HOME" \`date\` \\n !! %s\nJSON\n€ 🌍`;
  const request = {
    projectId: 'p',
    provider: 'openai' as const,
    model: 'm',
    messages: [{ role: 'user' as const, content }],
  };
  const command = curlOf(request, 'http://127.0.0.1:1').replace('curl -N', 'curl() { cat; }; curl -N');
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  assert.deepEqual(JSON.parse(stdout), request);
  assert.doesNotMatch(command, /ar_/);
});
