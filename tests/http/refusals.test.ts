import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { z } from 'zod';
import { upsertCardSchema } from '../../src/core/analytics/dashboards/schema.ts';
import { issueMessages } from '../../src/core/base/shared/issues.ts';
import { type Tolerance, tolerantParse } from '../../src/core/base/shared/tolerant.ts';
import { routes } from '../../src/http/app.ts';
import { operationIdOf } from '../../src/http/docs/openapi.ts';
import { apiDocument, operations, type Schema } from '../support/api-fuzz/operations.ts';
import { spoilings } from '../support/api-fuzz/spoilings.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { FULL } from './routes/dashboards/support.ts';

/*
 * What every route refuses with 400, generated from its schemas: each member of its examples is spoiled in each way that
 * its schema forbids. UPDATE_GOLDEN=1 writes the messages; read the differences. A line that disappears means that its
 * value is accepted now.
 */

const GOLDEN = new URL('refusals.golden.txt', import.meta.url);
const MAX_MESSAGE = 160;

const routeOf = new Map(routes.map((route) => [operationIdOf(route), route]));

test('refusals: every member is checked, and every message names it', () => {
  const lines = operations.flatMap(({ id, bodies, parameters }) => {
    const route = routeOf.get(id);
    if (!route) return [];
    const { schema, examples = [] } = bodies['application/json'] ?? {};
    const body = schema && route.body ? refusals(route.body.schema, schema, examples) : [];
    const query = route.query ? refusals(route.query, schemaOf(parameters, 'query'), [{}], { text: true }) : [];
    const params = route.params ? refusals(route.params, schemaOf(parameters, 'path'), [{}], { text: true }) : [];
    const told = [...new Set([...body, ...query, ...params])];
    return told.length === 0 ? [] : [`# ${id}`, ...told, ''];
  });
  const card = apiDocument.components.schemas.UpsertCard!;
  for (const [cardType, config] of FULL) {
    const told = new Set(refusals(upsertCardSchema, card, [{ title: 'A', cardType, config }]));
    lines.push(`# ${cardType}`, ...[...told].filter((line) => line.includes(': config.')), '');
  }
  const text = lines.join('\n');
  if (UPDATES_GOLDEN) writeFileSync(GOLDEN, text);
  assert.equal(text, readFileSync(GOLDEN, 'utf8'), 'UPDATE_GOLDEN=1 writes it');
});

function schemaOf(parameters: (typeof operations)[number]['parameters'], place: 'query' | 'path'): Schema {
  const own = parameters.filter((parameter) => parameter.in === place);
  const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
  return { type: 'object', properties, required: own.filter(({ required }) => required).map(({ name }) => name) };
}

/** `way: message` of each spoiled value that the schema refuses. */
function refusals(checked: z.ZodType, schema: Schema, examples: unknown[], tolerance: Tolerance = {}): string[] {
  return examples.flatMap((example) =>
    spoilings(schema, example).flatMap(({ way, path, value }) => {
      const { error } = tolerantParse(checked, value, tolerance);
      if (!error) return [];
      const messages = [...new Set(issueMessages(error, { schema: checked }))];
      assert.ok(messages.length > 0 && messages.every((message) => message.includes(': ')), `${path} ${way}`);
      return `${way}: ${messages.join(' | ').slice(0, MAX_MESSAGE).toWellFormed()}`;
    }),
  );
}
