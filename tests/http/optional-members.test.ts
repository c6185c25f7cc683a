import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { ingestEventSchema } from '../../src/core/analytics/events/ingest-schema.ts';
import { tolerantParse } from '../../src/core/base/shared/tolerant.ts';
import { routes } from '../../src/http/app.ts';
import { examples } from '../../src/http/docs/examples/index.ts';
import { operationIdOf } from '../../src/http/docs/openapi.ts';
import { tools } from '../../src/tools/server.ts';

/*
 * Null and an empty array in an optional member mean that it is left out. A member is optional in a request when the request
 * is valid without it. The requests are the documented examples of every endpoint, and the examples of every tool.
 */

type Path = (string | number)[];

interface Sample {
  at: string;
  schema: z.ZodType;
  value: unknown;
}

const samples: Sample[] = [...requestsOfRoutes(), ...requestsOfTools(), ...events()];

function requestsOfRoutes(): Sample[] {
  return routes.flatMap(({ query, body, multipart, ...route }) => {
    const operation = operationIdOf(route as (typeof routes)[number]);
    return Object.entries(examples[operation] ?? {}).flatMap(([name, exchange]) => {
      const at = `${operation}.${name}`;
      const isJson = exchange.contentType === undefined && typeof exchange.body === 'object';
      return [
        ...(query ? [{ at: `${at} query`, schema: query, value: exchange.query ?? {} }] : []),
        ...(body && isJson ? [{ at: `${at} body`, schema: body.schema, value: exchange.body }] : []),
        ...(multipart && exchange.form
          ? [{ at: `${at} form`, schema: multipart.fields, value: exchange.form.fields }]
          : []),
      ];
    });
  });
}

/** Clients of tools write an empty text, too. */
const toolNames = new Set<string>(tools.map(({ name }) => name));

function requestsOfTools(): Sample[] {
  return tools.flatMap(({ name, description, input, checks }) =>
    [...description.matchAll(/^(?:Examples?: )?(\{.*\})$/gm)].map(([, json]) => {
      const value = JSON.parse(json!);
      return { at: name, schema: checks?.(value) ?? input, value };
    }),
  );
}

/** Checked one by one, not by the schema of the batch. */
function events(): Sample[] {
  const value = { eventName: 'a', properties: {}, timestamp: '2026-03-01', id: 'b', threadId: 'c', agentId: 'd' };
  return [{ at: 'event', schema: ingestEventSchema, value }];
}

const parsed = (schema: z.ZodType, value: unknown) => tolerantParse(schema, value, { text: true });

test('optional members: every endpoint with input and every tool is sampled', () => {
  for (const { query, body, multipart, ...route } of routes) {
    if (!query && !body && !multipart) continue;
    const operation = operationIdOf(route as (typeof routes)[number]);
    assert.ok(
      samples.some(({ at }) => at.startsWith(`${operation}.`)),
      operation,
    );
  }
  for (const { name } of tools)
    assert.ok(
      samples.some(({ at }) => at === name),
      name,
    );
  for (const { at, schema, value } of samples) assert.ok(parsed(schema, value).success, at);
});

test('optional members: each counts as left out when it is null or an empty array', () => {
  let checked = 0;
  for (const { at, schema, value } of samples) {
    for (const path of membersOf(schema, value)) {
      const without = parsed(schema, edited(value, [path], undefined));
      if (!without.success) continue;
      const blanks = toolNames.has(at) ? ([null, [], ''] as const) : [null, []];
      for (const blank of blanks) {
        const given = edited(value, [path], blank);
        const label = `${at} ${path.join('.')}: ${JSON.stringify(blank)}`;
        const result = parsed(schema, given);
        assert.ok(result.success, `${label}: ${JSON.stringify(result.error?.issues)}`);
        // Where the schema itself takes the value, as null for a tab, it has a meaning of its own.
        if (!schema.safeParse(given).success) assert.deepEqual(result.data, without.data, label);
        checked++;
      }
    }
  }
  assert.ok(checked > 500, `${checked} members`);
});

test('optional members: a valid request stays valid when any of them become null', () => {
  const anySample = fc.constantFrom(...samples.filter(({ schema, value }) => membersOf(schema, value).length > 0));
  const choice = anySample.chain((sample) =>
    fc.record({
      sample: fc.constant(sample),
      paths: fc.subarray(membersOf(sample.schema, sample.value), { minLength: 1 }),
      blank: fc.constantFrom<null | never[]>(null, []),
    }),
  );
  fc.assert(
    fc.property(choice, ({ sample: { schema, value }, paths, blank }) => {
      fc.pre(parsed(schema, edited(value, paths, undefined)).success);
      const result = parsed(schema, edited(value, paths, blank));
      assert.ok(result.success, JSON.stringify(result.error?.issues));
    }),
    { numRuns: 2_000 },
  );
});

/** Of each object along the value: the members that its schema knows, also those that are not there. */
function membersOf(schema: z.ZodType, value: unknown, path: Path = []): Path[] {
  const inner = innermost(schema);
  if (inner instanceof z.ZodUnion) {
    const option = inner.options.find((one) => parsed(one as z.ZodType, value).success);
    return option ? membersOf(option as z.ZodType, value, path) : [];
  }
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item, index) => membersOf(inner.element as z.ZodType, item, [...path, index]));
  }
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(inner.shape).flatMap(([name, member]) => {
    const given = (value as Record<string, unknown>)[name];
    return [[...path, name], ...(given === undefined ? [] : membersOf(member as z.ZodType, given, [...path, name]))];
  });
}

function innermost(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodPipe) {
    return innermost((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType);
  }
  const isWrapper = 'unwrap' in schema && !(schema instanceof z.ZodArray);
  return isWrapper ? innermost((schema as z.ZodOptional).unwrap() as z.ZodType) : schema;
}

/** A copy; `undefined` removes the members. */
function edited(value: unknown, paths: Path[], blank: null | readonly never[] | '' | undefined): unknown {
  const copy = structuredClone(value);
  // Inner members first, while their objects are there.
  for (const path of paths.toSorted((one, other) => other.length - one.length)) {
    const container = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy);
    const key = path.at(-1)!;
    if (blank === undefined) delete (container as Record<string, unknown>)[key];
    else (container as Record<string, unknown>)[key] = blank;
  }
  return copy;
}
