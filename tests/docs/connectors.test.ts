import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { executeConnectorSchema } from '../../src/core/agents/connectors/call/execute-schema.ts';
import { resourceSchema } from '../../src/core/agents/connectors/definition/resource-schema.ts';
import { connectorMembersSchema } from '../../src/core/agents/connectors/definition/schema.ts';
import { aggregateEventsSchema } from '../../src/core/analytics/events/schema.ts';
import { parse } from '../../src/core/base/shared/parse.ts';
import { temporaryDirectory } from '../support/app.ts';
import { fencesOf } from '../support/docs.ts';
import { runCommand } from '../support/shell.ts';

/* The commands and tables of docs/connectors.md. examples.test.ts runs its requests. */

const PAGE = readFileSync(new URL('../../docs/connectors.md', import.meta.url), 'utf8');
const SECRET = 'the-token-itself';

/** What the page takes for granted beside its own definition. */
const STORE = `openapi: 3.0.3
info: { title: Store, version: '1' }
servers: [{ url: 'https://store.example.com' }]
paths: { /orders: { get: { operationId: listOrders, responses: { 200: { description: Some. } } } } }
`;

test('docs/connectors.md: its commands print what the page shows', async (t) => {
  const cwd = temporaryDirectory(t);
  const fences = fencesOf('connectors');
  writeFileSync(join(cwd, 'pets.json'), fences[0]!.text);
  writeFileSync(join(cwd, 'petstore.yaml'), STORE);
  const asOfNow = (text: string) =>
    text
      .trimEnd()
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(cwd, '/srv/app');
  let compared = 0;
  for (const [index, { language, text }] of fences.entries()) {
    const [, piped, command] = /^(printf .* \| )?agent-runtime (.+)$/.exec(text) ?? [];
    if (language !== 'sh' || command === undefined) continue;
    const { code, stdout, stderr } = await runCommand(command.split(' '), { cwd, input: piped ? SECRET : '' });
    assert.equal(code, 0, stderr);
    const next = fences[index + 1];
    if (next?.language !== 'text') continue;
    assert.equal(asOfNow(stdout), asOfNow(next.text), text);
    compared += 1;
  }
  assert.equal(compared, 4);
});

/** The first cells of the table whose header begins so. */
function rowsOf(header: string): string[] {
  const [, rows] = PAGE.split(`| ${header} |`)[1]!.split(/^\| ---.*\n/m);
  return [...rows!.split('\n\n')[0]!.matchAll(/^\| (`[^|]*?) \|/gm)].flatMap(([, cell]) => cell!.match(/\w+/g)!);
}

test('docs/connectors.md: has every member of a definition and of a call', () => {
  const { environments, auth } = connectorMembersSchema.shape;
  const tables: [string, string[]][] = [
    ['Of a definition', Object.keys(connectorMembersSchema.shape)],
    ['Of an environment', Object.keys(environments.shape.production.unwrap().shape)],
    ['Of a resource', Object.keys(resourceSchema.shape)],
    ['`auth.type`', auth.unwrap().options.map(({ shape }) => shape.type.value)],
    ['Of `options`', Object.keys(executeConnectorSchema.shape.options.unwrap().shape)],
  ];
  for (const [header, members] of tables) assert.deepEqual(rowsOf(header).sort(), members.sort(), header);
  for (const { shape } of auth.unwrap().options) {
    const own = Object.keys(shape).filter((name) => name !== 'type');
    const line = PAGE.split('\n').find((one) => one.startsWith(`| \`${shape.type.value}\` |`))!;
    for (const name of own) assert.ok(line.includes(`\`${name}\``), `${name}: ${line}`);
  }
});

test('docs/connectors.md: its question about calls is valid', () => {
  const question = fencesOf('connectors').findLast(({ language }) => language === 'json')!;
  parse(aggregateEventsSchema, JSON.parse(question.text));
});
