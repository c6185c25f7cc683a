import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KEY_VARIABLES } from '../../src/core/agents/providers/environment.ts';
import { providerDefinitionSchema } from '../../src/core/agents/providers/schema.ts';
import { providerDefinitions } from '../../src/core/agents/providers/service.ts';
import { temporaryDirectory } from '../support/app.ts';
import { fencesOf } from '../support/docs.ts';
import { runProgram } from '../support/process.ts';

/* The examples and tables of docs/providers.md. A text fence after a shell example is what the command says. */

const PAGE = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');

test('docs/providers.md: its examples do what the page says', async (t) => {
  const cwd = temporaryDirectory(t);
  const [first] = fencesOf('providers').filter(({ language }) => language === 'json');
  writeFileSync(join(cwd, 'providers.json'), first!.text);
  const fences = fencesOf('providers');
  const asOfNow = (text: string) =>
    text
      .trimEnd()
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(cwd, '/srv/app');
  let compared = 0;
  for (const [index, { language, text }] of fences.entries()) {
    if (language === 'json') assert.ok(providerDefinitions(JSON.parse(text)).length > 0);
    if (language !== 'sh') continue;
    const [, command] = /^agent-runtime (.+)/.exec(text) ?? [];
    assert.ok(command, text);
    const args = command.split(' ');
    const { code, stdout, stderr } = await runProgram(t, args, { cwd });
    assert.equal(code, 0, stderr);
    assert.equal(asOfNow(stdout), asOfNow(fences[index + 1]!.text), text);
    compared += 1;
  }
  assert.equal(compared, 3);
});

test('docs/providers.md: has every member of a definition and every variable', () => {
  const rows = [...PAGE.matchAll(/^\| (`[^|]*?) \|/gm)].map(([, names]) => names!.match(/\w+/g)!);
  const { shape } = providerDefinitionSchema;
  const shapeOf = (member: 'defaults' | 'capabilities') => Object.keys(shape[member].unwrap().shape);
  const described = [...Object.keys(KEY_VARIABLES), 'custom', ...Object.keys(shape), ...shapeOf('capabilities')];
  assert.deepEqual(rows.flat().sort(), described.sort());
  for (const name of shapeOf('defaults')) assert.match(PAGE, new RegExp(`^\\| \`defaults\` .*\`${name}\``, 'm'));
  for (const name of Object.values(KEY_VARIABLES).flat()) assert.ok(PAGE.includes(`\`${name}\``), name);
});
