import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { refusalOf, resourceOf } from './support.ts';

const $ref = 'https://example.com/scim/v2/Users/1';
const DATA = { members: [{ value: '1', $ref }], $ref };

/** Where OpenAPI has data: members of a parameter, of media and of a schema. */
const PLACES: Record<string, JsonObject> = {
  'an example': { example: DATA },
  'examples of a schema': { examples: [DATA] },
  'a default': { default: DATA },
  'an enumeration': { enum: [DATA] },
  'a constant': { const: DATA },
  'an extension': { 'x-any': DATA },
  'a property named $ref': { properties: { $ref: { type: 'string', example: '../Users/1' } } },
  'a property named example': { properties: { example: { type: 'object', example: DATA } } },
};

for (const [place, schema] of Object.entries(PLACES)) {
  test(`importOpenApi: a $ref in ${place} is data`, () => {
    const media = { schema, example: DATA, examples: { one: { value: DATA } }, 'x-any': DATA };
    const { resource, notes } = resourceOf(
      {
        operationId: 'call',
        'x-any': DATA,
        parameters: [
          { name: 'a', in: 'query', schema, style: 'deepObject', example: DATA, examples: { one: { value: DATA } } },
        ],
        requestBody: { content: { 'application/json': media }, 'x-any': DATA },
        responses: { 200: { content: { 'application/json': media }, links: { next: { parameters: DATA } } } },
      },
      { method: 'post', more: { 'x-any': DATA, components: { examples: { one: { value: DATA } } } } },
    );
    assert.deepEqual(resource.mock?.body, DATA);
    const { body, query } = resource.parameters;
    assert.deepEqual((query!.properties as JsonObject).a, body);
    const { example, 'x-any': _, ...kept } = schema;
    const shown = example === undefined ? kept : { examples: [DATA] };
    if (schema.properties === undefined) assert.deepEqual(body, shown);
    else assert.deepEqual(Object.keys(body!.properties as object), Object.keys(schema.properties as object));
    assert.ok(notes.every(({ at }) => !at.includes('$ref')));
  });
}

test('importOpenApi: a reference of a property with the name of data is one', () => {
  for (const name of ['example', 'default', 'enum', 'const', 'x-any', '$ref']) {
    const schema = { type: 'object', properties: { [name]: { $ref: 'pet.yaml' } } };
    const requestBody = { content: { 'application/json': { schema } } };
    assert.match(refusalOf(() => resourceOf({ requestBody }, { method: 'post' })).join(), /must begin with #/, name);
  }
});
