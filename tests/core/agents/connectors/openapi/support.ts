import type { Resource } from '../../../../../src/core/agents/connectors/definition/resource-schema.ts';
import { importOpenApi, type OpenApiImportOptions } from '../../../../../src/core/agents/connectors/openapi/import.ts';
import type { JsonObject } from '../../../../../src/core/agents/connectors/openapi/values.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';

/** An answer that needs no example for a mock. */
const NO_CONTENT = { 204: {} };

/** A document with one operation, `GET /pets`, and more members. */
export function documentWith(members: JsonObject = {}): JsonObject {
  return {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/pets': { get: { operationId: 'listPets', responses: NO_CONTENT } } },
    ...members,
  };
}

export const imported = (document: unknown, options: Partial<OpenApiImportOptions> = {}) =>
  importOpenApi(document, { slug: 'pets', ...options });

/**
 * The resource of a document with one operation, and the notes; `more` is the rest of the document.
 */
export function resourceOf(operation: JsonObject, { path = '/pets', method = 'get', more = {} as JsonObject } = {}) {
  const paths = { [path]: { [method]: { responses: NO_CONTENT, ...operation } } };
  const { definition, notes } = imported(documentWith({ paths, ...more }));
  const [resource] = Object.values(definition.resources) as [Resource];
  return { resource, definition, notes, messages: notes.map(({ message }) => message) };
}

export function schemaOf(schema: unknown, more: JsonObject = {}) {
  const operation = { requestBody: { content: { 'application/json': { schema } } } };
  const { resource, ...others } = resourceOf(operation, { method: 'post', more });
  return { schema: resource.parameters.body, ...others };
}

/** The messages of an `invalid` error; any other result fails. */
export function refusalOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'invalid') return error.messages;
    throw error;
  }
  throw new Error('was not refused');
}
