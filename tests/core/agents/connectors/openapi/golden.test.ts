import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectorDefinitionSchema } from '../../../../../src/core/agents/connectors/definition/schema.ts';
import { importOpenApi } from '../../../../../src/core/agents/connectors/openapi/import.ts';
import { parseDocument } from '../../../../../src/core/agents/connectors/openapi/parse-document.ts';
import { UPDATES_GOLDEN } from '../../../../support/golden.ts';

/** The document in `fixtures` was written for this test, those in `published` are parts of vendors' documents. */
const FILES = ['fixtures/petstore.yaml', 'published/github.json', 'published/stripe.json', 'published/figma.yaml'];

for (const file of FILES) {
  const [folder, slug] = file.split(/[/.]/) as [string, string];
  const document = parseDocument(readFileSync(join(import.meta.dirname, file), 'utf8'), file);

  test(`importOpenApi: ${file} gives the reviewed connector and notes`, () => {
    const { definition, notes } = importOpenApi(document, { slug });
    assertGolden(join(import.meta.dirname, folder, `${slug}.golden.json`), { notes, definition });
  });

  test(`importOpenApi: ${file} imported again changes nothing`, () => {
    const { definition } = importOpenApi(document, { slug });
    assert.deepEqual(connectorDefinitionSchema.parse(JSON.parse(JSON.stringify(definition))), definition);
    const again = importOpenApi(document, { slug, existing: definition });
    assert.deepEqual(again.changes, []);
    assert.deepEqual(again.definition, definition);
  });
}

/** Compares with the golden file, which UPDATE_GOLDEN=1 rewrites. */
function assertGolden(path: string, imported: unknown): void {
  const shown = JSON.parse(JSON.stringify(imported));
  if (UPDATES_GOLDEN) writeFileSync(path, `${JSON.stringify(shown, null, 2)}\n`);
  assert.ok(existsSync(path), `there is no ${path}; UPDATE_GOLDEN=1 writes what is imported`);
  assert.deepEqual(shown, JSON.parse(readFileSync(path, 'utf8')));
}
